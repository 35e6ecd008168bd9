//! The file `secrets.enc`: version 2 of the envelope.

mod associated;
mod error;
mod open;
mod read;
mod seal;
mod write;

pub use self::error::EnvelopeError;
pub(crate) use self::seal::Sealer;
use crate::kdf::Kdf;

/// Bytes a file may have.
pub const MAX_FILE_BYTES: usize = 4 << 20;

/// What the file says, with every rule applied that needs no key.
#[derive(Debug)]
pub(crate) struct Envelope {
    pub(crate) generation: u64,
    pub(crate) created_at: String,
    pub(crate) cipher: Cipher,
    pub(crate) ciphertext: Vec<u8>,
}

/// How the payload is kept.
#[derive(Debug)]
pub(crate) enum Cipher {
    /// Sealed with XChaCha20-Poly1305.
    Sealed {
        kdf: Kdf,
        salt: [u8; 32],
        check: [u8; 16],
        nonce: [u8; 24],
    },
    /// As it is. Such a file has no `kdf`, `salt`, `check` and `nonce`.
    None,
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::{key::Key, keys::Keys};

    /// The writer gives the known answer, which two unrelated programs agree about, to the last bit.
    #[test]
    fn sealing_gives_the_known_answer() {
        let mut salt = [0; 32];
        let mut nonce = [0; 24];
        salt.iter_mut()
            .chain(&mut nonce)
            .zip((0..32).chain(0..24))
            .for_each(|(byte, number)| *byte = number);
        let keys = Keys::new(Key::unchecked(b"correct horse battery staple"));
        let payload = br#"{"global":{"A_KEY":"value"},"namespaces":{}}"#;
        let envelope = Sealer::With { kdf: Kdf::LEAN, salt }
            .seal_with(&keys, 7, payload, &nonce, "2026-11-27T00:00:00Z".to_owned())
            .unwrap();
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let Cipher::Sealed { check, .. } = &envelope.cipher else {
            panic!("sealed")
        };
        assert_eq!(hex(check), "91745db69f7e3e853c986812ff2c07cf");
        assert_eq!(
            hex(&envelope.ciphertext),
            "ce83bf034b305332666bdee1acd5bdc4c34e0332813419fc4a12ae8fe8cb614c83c83f762f1fceb521886396e83bd7728e9a063cfd593fb5839d56c8"
        );
        let known = &crate::testing::good()[0];
        let [ours, theirs] = [
            String::from_utf8(envelope.to_bytes()).unwrap(),
            known.file.clone(),
        ]
        .map(|text| serde_json::from_str::<serde_json::Value>(&text).unwrap());
        assert_eq!(ours, theirs);
    }
}
