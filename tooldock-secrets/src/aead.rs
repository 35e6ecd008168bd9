//! The cipher: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03), whose nonce is long enough to be chosen at random.

use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305,
    aead::{Aead as _, Payload},
};
use zeroize::Zeroizing;

use crate::kdf::Derived;

/// Seals a text; the result is 16 bytes longer. A nonce must never be used twice with one key.
pub(crate) fn seal(key: &Derived, nonce: &[u8; 24], associated: &[u8], text: &[u8]) -> Vec<u8> {
    XChaCha20Poly1305::new((&*key.cipher).into())
        .encrypt(
            nonce.into(),
            Payload {
                msg: text,
                aad: associated,
            },
        )
        .expect("a text that fits into memory is not too long for the cipher")
}

/// Opens what was sealed; nothing if a bit of it, of the nonce or of the associated data is another.
pub(crate) fn open(
    key: &Derived,
    nonce: &[u8; 24],
    associated: &[u8],
    sealed: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    XChaCha20Poly1305::new((&*key.cipher).into())
        .decrypt(
            nonce.into(),
            Payload {
                msg: sealed,
                aad: associated,
            },
        )
        .ok()
        .map(Zeroizing::new)
}
