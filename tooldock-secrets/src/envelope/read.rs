//! From the bytes of the file to an envelope: every step that needs no key.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Deserialize;

use super::{Cipher, Envelope, EnvelopeError, MAX_FILE_BYTES};
use crate::{clock, kdf::Kdf};

/// The member that says how to read the others.
#[derive(Deserialize)]
struct Version {
    version: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members<'a> {
    #[serde(rename = "version")]
    _version: u64,
    cipher: &'a str,
    #[serde(borrow)]
    kdf: Option<Cost<'a>>,
    salt: Option<&'a str>,
    check: Option<&'a str>,
    nonce: Option<&'a str>,
    generation: u64,
    created_at: &'a str,
    ciphertext: &'a str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cost<'a> {
    name: &'a str,
    log_n: u64,
    r: u64,
    p: u64,
}

impl Envelope {
    /// Reads a file. The order of the steps is that of [`EnvelopeError`]; nothing large is allocated before the bounds are known.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(EnvelopeError::TooLarge);
        }
        let syntax: serde_json::Result<serde::de::IgnoredAny> = serde_json::from_slice(bytes);
        syntax.map_err(|_| EnvelopeError::NotJson)?;
        match serde_json::from_slice(bytes) {
            Ok(Version { version: 2 }) => {}
            Ok(Version { version }) => return Err(EnvelopeError::Version(version)),
            Err(_) => return Err(EnvelopeError::Members),
        }
        let members: Members<'_> = serde_json::from_slice(bytes).map_err(|_| EnvelopeError::Members)?;
        let cipher = members.cipher()?;
        if !clock::is_time(members.created_at) {
            return Err(EnvelopeError::Form("created_at"));
        }
        let ciphertext = BASE64_STANDARD.decode(members.ciphertext);
        Ok(Self {
            generation: members.generation,
            created_at: members.created_at.to_owned(),
            cipher,
            ciphertext: ciphertext.map_err(|_| EnvelopeError::Form("ciphertext"))?,
        })
    }
}

impl Members<'_> {
    fn cipher(&self) -> Result<Cipher, EnvelopeError> {
        match (self.cipher, &self.kdf, self.salt, self.check, self.nonce) {
            ("none", None, None, None, None) => Ok(Cipher::None),
            ("xchacha20-poly1305", Some(cost), Some(salt), Some(check), Some(nonce)) => {
                if cost.name != "scrypt" {
                    return Err(EnvelopeError::Cipher);
                }
                Ok(Cipher::Sealed {
                    kdf: Kdf::checked(cost.log_n, cost.r, cost.p)?,
                    salt: exact(salt).ok_or(EnvelopeError::Form("salt"))?,
                    check: exact(check).ok_or(EnvelopeError::Form("check"))?,
                    nonce: exact(nonce).ok_or(EnvelopeError::Form("nonce"))?,
                })
            }
            ("none" | "xchacha20-poly1305", ..) => Err(EnvelopeError::Members),
            _ => Err(EnvelopeError::Cipher),
        }
    }
}

/// Base64 of exactly `N` bytes, in its one canonical form.
fn exact<const N: usize>(text: &str) -> Option<[u8; N]> {
    BASE64_STANDARD.decode(text).ok()?.try_into().ok()
}
