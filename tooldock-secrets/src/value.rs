//! The value of a secret, in memory that is wiped.

use std::fmt;

use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

/// Bytes a value may have.
const MAX_BYTES: usize = 64 << 10;

/// The value of a secret: it can be neither printed, serialized nor cloned, and its memory is wiped when it is dropped.
///
/// ```
/// use tooldock_secrets::SecretValue;
/// let value = SecretValue::new("hunter2".to_owned())?;
/// assert_eq!(format!("{value:?}"), "SecretValue(…)");
/// assert_eq!(value.expose(), "hunter2");
/// # Ok::<(), tooldock_secrets::ValueError>(())
/// ```
///
/// ```compile_fail
/// fn print(value: &tooldock_secrets::SecretValue) -> String { value.to_string() }
/// ```
///
/// ```compile_fail
/// fn copy(value: &tooldock_secrets::SecretValue) -> tooldock_secrets::SecretValue { value.clone() }
/// ```
///
/// ```compile_fail
/// fn store(value: &tooldock_secrets::SecretValue) -> String { serde_json::to_string(value).unwrap() }
/// ```
pub struct SecretValue(Zeroizing<String>);

impl SecretValue {
    /// Takes a value over; the text is not copied.
    ///
    /// # Errors
    /// When it is empty, holds a NUL, which no environment can carry, or has more than 64 KiB.
    pub fn new(value: String) -> Result<Self, ValueError> {
        let value = Zeroizing::new(value);
        match value.len() {
            0 => Err(ValueError::Empty),
            length if length > MAX_BYTES => Err(ValueError::TooLong),
            _ if value.contains('\0') => Err(ValueError::Nul),
            _ => Ok(Self(value)),
        }
    }

    /// The value itself. Every use of this is a place to look at in review.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue(…)")
    }
}

impl PartialEq for SecretValue {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for SecretValue {}

/// Why a text cannot be a value. Holds nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// There is no text.
    #[error("the value is empty; remove the secret instead")]
    Empty,
    /// It has more than 64 KiB.
    #[error("the value has more than 64 KiB, the most a secret may have")]
    TooLong,
    /// It holds a NUL character.
    #[error("the value holds a NUL character, which no environment variable can carry")]
    Nul,
}
