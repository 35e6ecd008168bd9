//! The name of a secret.

use std::{borrow::Borrow, fmt, str::FromStr, sync::Arc};

/// The name of a secret, `[A-Z][A-Z0-9_]{0,127}`: it becomes a variable of the environment. Cloning is cheap.
///
/// ```
/// use tooldock_secrets::SecretName;
/// assert_eq!("GITHUB_TOKEN".parse::<SecretName>()?.as_str(), "GITHUB_TOKEN");
/// assert!("github_token".parse::<SecretName>().is_err());
/// # Ok::<(), tooldock_secrets::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretName(Arc<str>);

impl SecretName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SecretName {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        let plain = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        let begins = name.as_bytes().first().is_some_and(u8::is_ascii_uppercase);
        if !begins || name.len() > 128 || !name.as_bytes().iter().all(plain) {
            return Err(NameError {
                name: name.chars().take(128).flat_map(char::escape_debug).collect(),
            });
        }
        Ok(Self(name.into()))
    }
}

impl Borrow<str> for SecretName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// A text that is no name of a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no name of a secret: use 1 to 128 of `A-Z`, `0-9` and `_`, a letter first")]
pub struct NameError {
    name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s74_a_name_holds_nothing_that_a_shell_acts_on() {
        let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        for c in (0..=0x2ff).filter_map(char::from_u32) {
            let name = format!("A{c}B");
            assert_eq!(name.parse::<SecretName>().is_ok(), plain(c), "{name:?}");
        }
        let long = "A".repeat(129);
        for name in ["", "1A", "_A", "-A", "--scope", &long] {
            assert!(name.parse::<SecretName>().is_err(), "{name}");
        }
        assert_eq!(long[1..].parse::<SecretName>().unwrap().as_str(), &long[1..]);
    }
}
