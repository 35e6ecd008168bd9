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

#[cfg(test)]
mod tests {
    use tooldock_engine::{NamespaceName, RawJson, context::Principal, json::ScanLimits};

    use super::*;
    use crate::wire::Message;

    fn subject(principal: &str, namespace: &str, message: &str) -> Subject {
        let json = RawJson::scan(message.to_owned(), ScanLimits::MESSAGE).unwrap();
        let Ok(Message::Request(request)) = Message::read(&json) else {
            unreachable!("a request")
        };
        let namespace: NamespaceName = namespace.parse().unwrap();
        Subject::new(&Principal::new(principal), &namespace, &request)
    }

    fn call(name: &str, arguments: &str) -> String {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments}}}}}"#
        )
    }

    #[test]
    fn s41_what_is_sealed_opens_for_its_subject_and_key_alone() {
        let ours = || subject("ann", "demo", &call("a", "{}"));
        let seal = Seal::default();
        let sealed = seal.seal(b"plain", &ours()).unwrap();
        assert_eq!(seal.open(&sealed, &ours()).as_deref(), Some(&b"plain"[..]));
        assert_ne!(
            seal.seal(b"plain", &ours()).unwrap(),
            sealed,
            "each has a nonce of its own"
        );
        let prompt = call("a", "{}").replace("tools/call", "prompts/get");
        for other in [
            subject("anna", "demo", &call("a", "{}")),
            subject("an", "ndemo", &call("a", "{}")),
            subject("ann", "other", &call("a", "{}")),
            subject("ann", "demo", &call("b", "{}")),
            subject("ann", "demo", &call("a", "{ }")),
            subject("ann", "demo", &prompt),
        ] {
            assert_eq!(seal.open(&sealed, &other), None, "{other:?}");
        }
        assert_eq!(Seal::default().open(&sealed, &ours()), None, "another server");
        let shared = || Seal::new(Some(SealKey::from_bytes([7; 32])));
        let sealed = shared().seal(b"plain", &ours()).unwrap();
        assert!(
            shared().open(&sealed, &ours()).is_some(),
            "servers that share a key"
        );
    }

    #[test]
    fn s41_no_text_makes_the_reader_panic() {
        let (seal, ours) = (Seal::default(), subject("ann", "demo", &call("a", "{}")));
        let sealed = seal.seal(b"", &ours).unwrap();
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|n| [FORM, 0, 0xff, 0x80][n % 4]).collect();
            for text in [
                URL_SAFE_NO_PAD.encode(&bytes),
                String::from_utf8_lossy(&bytes).into_owned(),
            ] {
                assert_eq!(seal.open(&text, &ours), None);
            }
        }
        for length in 0..sealed.len() {
            assert_eq!(seal.open(&sealed[..length], &ours), None, "{length} characters");
        }
    }
}
