//! Why a file cannot be opened.

use crate::{kdf::KdfError, payload::PayloadError};

/// Why a file cannot be opened: one kind for each step of reading, in their order. None holds any content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// More than 4 MiB.
    #[error("it has more than 4 MiB, so it is no file of secrets")]
    TooLarge,
    /// No JSON object.
    #[error("it is no JSON object; {RESTORE}")]
    NotJson,
    /// Written by another version.
    #[error("its version is {0}, and this program knows version 2 only; use the program that wrote it")]
    Version(u64),
    /// A member too many, too few, twice, or of the wrong kind.
    #[error("its members are not those of version 2; {RESTORE}")]
    Members,
    /// An unknown cipher.
    #[error("its cipher is unknown to this program; use the program that wrote it")]
    Cipher,
    /// The cost of the key is out of bounds.
    #[error(transparent)]
    Kdf(#[from] KdfError),
    /// A member that is no base64 of the right length, or no time.
    #[error("its member `{0}` has not the form it must have; {RESTORE}")]
    Form(&'static str),
    /// Sealed, and there is no key.
    #[error("it is encrypted and there is no key; set SECRETS_KEY or SECRETS_KEY_FILE")]
    NoKey,
    /// Not sealed, and there is a key.
    #[error(
        "it is not encrypted and there is a key, so somebody may have exchanged it; move it away \
         and set the values again"
    )]
    NotSealed,
    /// Not sealed, and nobody has said that this is all right.
    #[error(
        "it is not encrypted; set SECRETS_KEY and store the values again, or ALLOW_INSECURE_SECRETS=1 to go on without a key"
    )]
    NoConsent,
    /// The key is another than the one it was sealed with.
    #[error(
        "the key is not the one it was written with (or its `salt`, `kdf` or `check` was changed); set SECRETS_KEY to the key it was \
         written with"
    )]
    WrongKey,
    /// The key is right, and something else is not what was written.
    #[error("the key is right, but the file was damaged or changed; {RESTORE}")]
    Damaged,
    /// What was sealed breaks a rule.
    #[error("its content breaks a rule: {0}")]
    Payload(#[from] PayloadError),
}

/// What to do about a file that is not whole.
const RESTORE: &str = "put it back from a backup; nothing overwrites it until then";
