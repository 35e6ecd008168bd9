//! Opening an envelope with the keys at hand.

use zeroize::Zeroizing;

use super::{Cipher, Envelope, EnvelopeError};
use crate::{
    aead,
    keys::{Keys, Which},
};

/// An opened payload, and the key that did it; none for a file that was not sealed.
pub(crate) struct Opened {
    pub(crate) payload: Zeroizing<Vec<u8>>,
    pub(crate) by: Option<Which>,
}

impl Envelope {
    /// Derives, compares the check value, opens. Takes time when a key was not derived yet.
    pub(crate) fn open(&self, keys: &Keys) -> Result<Opened, EnvelopeError> {
        let Cipher::Sealed {
            kdf,
            salt,
            check,
            nonce,
        } = &self.cipher
        else {
            return match (keys.has_key(), keys.may_be_plain()) {
                (true, _) => Err(EnvelopeError::NotSealed),
                (false, false) => Err(EnvelopeError::NoConsent),
                (false, true) => Ok(Opened {
                    payload: Zeroizing::new(self.ciphertext.clone()),
                    by: None,
                }),
            };
        };
        if !keys.has_key() {
            return Err(EnvelopeError::NoKey);
        }
        let associated = Self::associated(*kdf, salt, check, self.generation, &self.created_at);
        for which in keys.available() {
            let derived = keys
                .derived(which, *kdf, salt)
                .filter(|derived| derived.fits(check));
            if let Some(derived) = derived {
                let payload = aead::open(&derived, nonce, &associated, &self.ciphertext);
                let payload = payload.ok_or(EnvelopeError::Damaged)?;
                return Ok(Opened {
                    payload,
                    by: Some(which),
                });
            }
        }
        Err(EnvelopeError::WrongKey)
    }
}
