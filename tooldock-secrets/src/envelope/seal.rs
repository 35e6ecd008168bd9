//! Making a new envelope.

use super::{Cipher, Envelope};
use crate::{
    aead, clock,
    kdf::Kdf,
    keys::{Keys, Which},
};

/// What the envelopes of one file have in common until its key is changed, so that the key is derived once.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sealer {
    /// Sealed under this salt and cost.
    With { kdf: Kdf, salt: [u8; 32] },
    /// Not sealed: there is no key.
    Insecure,
}

impl Sealer {
    /// A new salt. `None` when the system gives no random bytes.
    pub(crate) fn fresh(keys: &Keys, kdf: Kdf) -> Option<Self> {
        if !keys.may_be_plain() {
            Some(Self::With { kdf, salt: random()? })
        } else {
            Some(Self::Insecure)
        }
    }

    /// That of a file.
    pub(crate) fn of(envelope: &Envelope) -> Self {
        match envelope.cipher {
            Cipher::Sealed { kdf, salt, .. } => Self::With { kdf, salt },
            Cipher::None => Self::Insecure,
        }
    }

    /// A new envelope of now, with a nonce of its own. `None` when the system gives no random bytes.
    pub(crate) fn seal(self, keys: &Keys, generation: u64, payload: &[u8]) -> Option<Envelope> {
        self.seal_with(keys, generation, payload, &random()?, clock::now())
    }

    /// As [`seal`](Self::seal), with the nonce and the time given: only known answers do that.
    pub(crate) fn seal_with(
        self,
        keys: &Keys,
        generation: u64,
        payload: &[u8],
        nonce: &[u8; 24],
        created_at: String,
    ) -> Option<Envelope> {
        let Self::With { kdf, salt } = self else {
            let ciphertext = payload.to_vec();
            return Some(Envelope {
                generation,
                created_at,
                cipher: Cipher::None,
                ciphertext,
            });
        };
        let derived = keys.derived(Which::Current, kdf, &salt)?;
        let check = derived.check;
        let associated = Envelope::associated(kdf, &salt, &check, generation, &created_at);
        let ciphertext = aead::seal(&derived, nonce, &associated, payload);
        let cipher = Cipher::Sealed {
            kdf,
            salt,
            check,
            nonce: *nonce,
        };
        Some(Envelope {
            generation,
            created_at,
            cipher,
            ciphertext,
        })
    }
}

fn random<const N: usize>() -> Option<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).ok().map(|()| bytes)
}
