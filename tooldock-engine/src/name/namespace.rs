//! The name of a namespace.

use std::{fmt, str::FromStr, sync::Arc};

use super::NameError;

/// First path segments that belong to the gateway itself and therefore cannot name a namespace in a path.
pub const RESERVED_NAMESPACES: &[&str] = &[
    "mcp",
    "sse",
    "messages",
    "tools",
    "health",
    "healthz",
    "ready",
    "live",
    "metrics",
    "namespaces",
    "reload",
    "openapi.json",
    "docs",
    "api",
    "admin",
    "ui",
    "assets",
    "internal",
    "v0",
    "v0.1",
    "servers",
    "oauth",
    "authorize",
    "token",
    "register",
    "callback",
    ".well-known",
    "info",
    SYSTEM_NAMESPACE,
];

/// The namespace of the tools that manage the others. No folder and no file can have its name; a program mounts it with
/// [`NamespaceName::system`].
pub const SYSTEM_NAMESPACE: &str = "_system";

/// Path segments below a namespace that belong to the gateway. A tool of such a name is reachable at `tools/{tool}` only, any
/// other at `{tool}` as well.
pub const RESERVED_TOOLS: &[&str] = &[
    "mcp",
    "sse",
    "messages",
    "tools",
    "openapi.json",
    "docs",
    "info",
    ".well-known",
];

/// The name of a namespace: `[a-z0-9][a-z0-9_-]{0,62}` and not one of [`RESERVED_NAMESPACES`].
///
/// The raw value is checked as it is; nothing is trimmed, folded or normalised. Cloning is cheap.
///
/// ```
/// use tooldock_engine::NamespaceName;
/// let name: NamespaceName = "github-tools".parse()?;
/// assert_eq!(name.as_str(), "github-tools");
/// assert!("GitHub".parse::<NamespaceName>().is_err());
/// assert!("mcp".parse::<NamespaceName>().is_err());
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NamespaceName(Arc<str>);

impl NamespaceName {
    /// `_system`, the one name that no text is read as.
    ///
    /// ```
    /// use tooldock_engine::NamespaceName;
    /// assert!(NamespaceName::system().as_str().parse::<NamespaceName>().is_err());
    /// ```
    #[must_use]
    pub fn system() -> Self {
        Self(SYSTEM_NAMESPACE.into())
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for NamespaceName {
    type Err = NameError;

    fn from_str(value: &str) -> Result<Self, NameError> {
        let refuse = |rule| Err(NameError::new("namespace", value, rule));
        let bytes = value.as_bytes();
        if bytes.is_empty() || bytes.len() > 63 {
            return refuse("must have 1 to 63 characters");
        }
        let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        if !plain(&bytes[0]) || !bytes.iter().all(|b| plain(b) || matches!(b, b'_' | b'-')) {
            return refuse(
                "must be lower-case letters, digits, `_` and `-`, and start with a letter or digit",
            );
        }
        if RESERVED_NAMESPACES.contains(&value) {
            return refuse("is reserved for the gateway itself; choose another name");
        }
        Ok(Self(value.into()))
    }
}

impl fmt::Debug for NamespaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for NamespaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for NamespaceName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for NamespaceName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_pass() {
        let long = "a".repeat(63);
        for good in ["a", "0", "github", "my-tools", "a_b-c9", &long] {
            assert_eq!(
                good.parse::<NamespaceName>().map(|n| n.to_string()),
                Ok(good.to_owned())
            );
        }
        let longer = "a".repeat(64);
        for bad in [
            "",
            &longer,
            "A",
            "-a",
            "_a",
            "a b",
            " a",
            "a ",
            "a.b",
            "a/b",
            "..",
            "a\n",
            "a\0",
            "ä",
            "ａ",
            "a\u{200b}",
            "a%20",
            "a,b",
            "mcp",
            "_system",
            "tools",
        ] {
            assert!(bad.parse::<NamespaceName>().is_err(), "`{bad}` was taken");
        }
    }
}
