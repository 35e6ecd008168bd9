//! For whom a secret is.

use std::{fmt, str::FromStr, sync::Arc};

/// For whom a secret is: every namespace, or one.
///
/// ```
/// use tooldock_secrets::Scope;
/// assert_eq!("global".parse(), Ok(Scope::Global));
/// assert_eq!("slack".parse::<Scope>()?.to_string(), "slack");
/// assert!("../slack".parse::<Scope>().is_err());
/// # Ok::<(), tooldock_secrets::ScopeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Every namespace.
    Global,
    /// The namespace of this name, `[a-z0-9][a-z0-9_-]{0,62}`. Its secrets win over global ones.
    Namespace(Arc<str>),
}

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Self, ScopeError> {
        let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let fits = |byte: &u8| plain(byte) || matches!(byte, b'_' | b'-');
        let bytes = text.as_bytes();
        match bytes.first() {
            _ if text == "global" => Ok(Self::Global),
            Some(first) if plain(first) && bytes.len() <= 63 && bytes.iter().all(fits) => {
                Ok(Self::Namespace(text.into()))
            }
            _ => Err(ScopeError {
                text: text.chars().take(128).flat_map(char::escape_debug).collect(),
            }),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Global => "global",
            Self::Namespace(name) => name,
        })
    }
}

/// A text that is neither `global` nor the name of a namespace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no scope: use `global`, or the name of a namespace: 1 to 63 of `a-z`, `0-9`, `_` and `-`, a letter or digit first"
)]
pub struct ScopeError {
    text: String,
}
