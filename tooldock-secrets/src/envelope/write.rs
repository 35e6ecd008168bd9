//! From an envelope to the bytes of the file.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Serialize;

use super::{Cipher, Envelope};

#[derive(Serialize)]
struct Members<'a> {
    version: u64,
    cipher: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kdf: Option<Cost>,
    #[serde(skip_serializing_if = "Option::is_none")]
    salt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<String>,
    generation: u64,
    created_at: &'a str,
    ciphertext: String,
}

#[derive(Serialize)]
struct Cost {
    name: &'static str,
    log_n: u64,
    r: u64,
    p: u64,
}

impl Envelope {
    /// The bytes of the file: one member a line, as a person may look at it.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let text = |bytes: &[u8]| Some(BASE64_STANDARD.encode(bytes));
        let mut members = Members {
            version: 2,
            cipher: "none",
            kdf: None,
            salt: None,
            check: None,
            nonce: None,
            generation: self.generation,
            created_at: &self.created_at,
            ciphertext: BASE64_STANDARD.encode(&self.ciphertext),
        };
        if let Cipher::Sealed {
            kdf,
            salt,
            check,
            nonce,
        } = &self.cipher
        {
            let [log_n, r, p] = kdf.numbers();
            members.cipher = "xchacha20-poly1305";
            members.kdf = Some(Cost {
                name: "scrypt",
                log_n,
                r,
                p,
            });
            (members.salt, members.check, members.nonce) = (text(salt), text(check), text(nonce));
        }
        let mut bytes = serde_json::to_vec_pretty(&members).expect("texts and numbers always become JSON");
        bytes.push(b'\n');
        bytes
    }
}
