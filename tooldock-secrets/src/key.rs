//! The text that the operator keeps, from which the key of the cipher is made.

use std::fmt;

use zeroize::Zeroizing;

/// Bytes a key needs.
const MIN_BYTES: usize = 16;
/// Different bytes a key needs.
const MIN_VARIETY: usize = 5;
/// Bytes a key may have: a file that was named by mistake is not read into memory.
pub(crate) const MAX_BYTES: usize = 4 << 10;
/// Texts that stand in documentation, so that anybody may try them.
const SAMPLES: &[&str] = &[
    "correct horse battery staple",
    "change-me-change-me",
    "change_me_change_me",
    "changeme-changeme",
    "your-secrets-key-here",
    "your_secrets_key_here",
    "replace-with-a-random-key",
    "0123456789abcdef",
];

/// The text from which the key of the cipher is derived. It cannot be printed, and is wiped when it is dropped.
///
/// ```
/// use tooldock_secrets::Key;
/// let key = Key::from_file(b"2ohc8QvWDDmVb0TLqSjcpw\n".to_vec())?;
/// assert_eq!(format!("{key:?}"), "Key(…)");
/// assert!(Key::new(b"short".to_vec()).is_err());
/// # Ok::<(), tooldock_secrets::KeyError>(())
/// ```
///
/// ```compile_fail
/// fn copy(key: &tooldock_secrets::Key) -> tooldock_secrets::Key { key.clone() }
/// ```
pub struct Key(Zeroizing<Vec<u8>>);

impl Key {
    /// Takes the exact bytes of a key over.
    ///
    /// # Errors
    /// When they are under 16 or over 4096, when nearly all are the same, or when they are a sample from documentation.
    pub fn new(bytes: Vec<u8>) -> Result<Self, KeyError> {
        let key = Zeroizing::new(bytes);
        let mut seen = [false; 256];
        key.iter().for_each(|byte| seen[usize::from(*byte)] = true);
        let variety = seen.iter().filter(|seen| **seen).count();
        let lower = Zeroizing::new(key.to_ascii_lowercase());
        if key.len() < MIN_BYTES {
            Err(KeyError::TooShort)
        } else if key.len() > MAX_BYTES {
            Err(KeyError::TooLong)
        } else if variety < MIN_VARIETY || SAMPLES.iter().any(|sample| sample.as_bytes() == lower.as_slice())
        {
            Err(KeyError::Known)
        } else {
            Ok(Self(key))
        }
    }

    /// Takes the content of a key file over, without the one line break that editors and `echo` put at its end.
    ///
    /// # Errors
    /// As [`Key::new`].
    pub fn from_file(content: Vec<u8>) -> Result<Self, KeyError> {
        let mut content = Zeroizing::new(content);
        if content.ends_with(b"\n") {
            content.pop();
            if content.ends_with(b"\r") {
                content.pop();
            }
        }
        Self::new(std::mem::take(&mut *content))
    }

    /// A key that no rule was applied to: for known answers only.
    #[cfg(feature = "testing")]
    pub(crate) fn unchecked(bytes: &[u8]) -> Self {
        Self(Zeroizing::new(bytes.to_vec()))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Why a text is no key. Holds nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// Under 16 bytes.
    #[error("the key has under 16 characters; make one with `tooldock-manager keygen`")]
    TooShort,
    /// Over 4096 bytes.
    #[error("the key has over 4096 bytes; is it the right file?")]
    TooLong,
    /// From documentation, or nearly all the same character.
    #[error("the key is a sample value, or too simple; make one with `tooldock-manager keygen`")]
    Known,
}
