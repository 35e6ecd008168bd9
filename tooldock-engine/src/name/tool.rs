//! The name of a tool.

use std::{fmt, str::FromStr, sync::Arc};

use super::NameError;

/// The name of a tool: 1 to 128 characters of `A-Z a-z 0-9 _ - .` (MCP 2025-11-25, *Tool names*), case-sensitive.
///
/// Cloning is cheap.
///
/// ```
/// use tooldock_engine::ToolName;
/// assert!("list_issues".parse::<ToolName>().is_ok());
/// assert!("list issues".parse::<ToolName>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ToolName(Arc<str>);

impl ToolName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ToolName {
    type Err = NameError;

    fn from_str(value: &str) -> Result<Self, NameError> {
        if value.is_empty() || value.len() > 128 {
            return Err(NameError::new(
                "tool name",
                value,
                "must have 1 to 128 characters",
            ));
        }
        if !value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        {
            return Err(NameError::new(
                "tool name",
                value,
                "may hold only letters, digits, `_`, `-` and `.`",
            ));
        }
        Ok(Self(value.into()))
    }
}

impl fmt::Debug for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for ToolName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        &self.0
    }
}
