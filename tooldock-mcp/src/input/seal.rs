//! Sealing what a client keeps for the server.

use std::{fmt, sync::OnceLock};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305,
    aead::{Aead as _, Payload},
};
use tooldock_engine::{EngineError, ErrorKind, error::Result};

use super::Subject;
use crate::random::random;

/// The key under which state that clients keep is sealed. A server makes its own unless it is given one.
///
/// Servers with one key read each other's state.
#[derive(Clone)]
pub struct SealKey([u8; 32]);

impl SealKey {
    /// A new key.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn generate() -> Result<Self> {
        Ok(Self(random()?))
    }

    /// The key that several servers share: 32 bytes from a generator of random numbers.
    ///
    /// ```
    /// let key = tooldock_mcp::SealKey::from_bytes([7; 32]);
    /// assert_eq!(format!("{key:?}"), "SealKey(…)");
    /// ```
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey(…)")
    }
}

/// The form of what is sealed: its first byte.
const FORM: u8 = 1;
const NONCE: usize = 24;

/// Seals and opens. The key is made when something is sealed for the first time.
#[derive(Debug, Default)]
pub(super) struct Seal(OnceLock<SealKey>);

impl Seal {
    pub(super) fn new(key: Option<SealKey>) -> Self {
        Self(key.map_or_else(OnceLock::new, OnceLock::from))
    }

    fn key(&self) -> Result<&SealKey> {
        match self.0.get() {
            Some(key) => Ok(key),
            None => {
                let key = SealKey::generate()?;
                Ok(self.0.get_or_init(|| key))
            }
        }
    }

    /// `plain` as a text that only this server can make or read, and only for `subject`.
    pub(super) fn seal(&self, plain: &[u8], subject: &Subject) -> Result<String> {
        let nonce: [u8; NONCE] = random()?;
        let aad = subject.to_bytes();
        let sealed = cipher(self.key()?).encrypt(
            &nonce.into(),
            Payload {
                msg: plain,
                aad: &aad,
            },
        );
        let sealed =
            sealed.map_err(|_| EngineError::new(ErrorKind::Internal, "the state cannot be sealed"))?;
        Ok(URL_SAFE_NO_PAD.encode([&[FORM][..], &nonce, &sealed].concat()))
    }

    /// What was sealed for `subject`; nothing if the text is anything else.
    pub(super) fn open(&self, text: &str, subject: &Subject) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (nonce, sealed) = bytes.strip_prefix(&[FORM])?.split_first_chunk::<NONCE>()?;
        let aad = subject.to_bytes();
        let payload = Payload {
            msg: sealed,
            aad: &aad,
        };
        cipher(self.0.get()?).decrypt(nonce.into(), payload).ok()
    }
}

fn cipher(key: &SealKey) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&key.0.into())
}
