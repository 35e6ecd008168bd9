//! A pattern of names.

use std::{fmt, str::FromStr, sync::Arc};

use super::NameError;

/// A pattern of names of tools or namespaces: `*` stands for any characters, also none, `?` for one, anything else for itself.
///
/// Cloning is cheap.
///
/// ```
/// use tooldock_engine::name::NamePattern;
/// let pattern: NamePattern = "delete_*".parse()?;
/// assert!(pattern.matches("delete_issue") && !pattern.matches("list_issues"));
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct NamePattern(Arc<str>);

impl NamePattern {
    /// The pattern that every name fits.
    #[must_use]
    pub fn any() -> Self {
        Self("*".into())
    }

    /// Whether `name` is meant. Takes time of at most the product of both lengths.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let (pattern, name) = (self.0.as_bytes(), name.as_bytes());
        let (mut at, mut read) = (0, 0);
        // What stands behind the last star, and where in the name that was tried.
        let mut star = None;
        while let Some(byte) = name.get(read) {
            match (pattern.get(at), star) {
                (Some(b'*'), _) => {
                    at += 1;
                    star = Some((at, read));
                }
                (Some(wanted), _) if *wanted == b'?' || wanted == byte => {
                    at += 1;
                    read += 1;
                }
                (_, Some((behind, tried))) => {
                    at = behind;
                    read = tried + 1;
                    star = Some((behind, read));
                }
                (_, None) => return false,
            }
        }
        pattern[at..].iter().all(|byte| *byte == b'*')
    }
}

impl FromStr for NamePattern {
    type Err = NameError;

    fn from_str(value: &str) -> Result<Self, NameError> {
        let refuse = |rule| Err(NameError::new("pattern", value, rule));
        if value.is_empty() || value.len() > 128 {
            return refuse("must have 1 to 128 characters");
        }
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.*?".contains(&byte);
        if !value.bytes().all(plain) {
            return refuse("may hold only letters, digits, `_`, `-` and `.`, and `*` and `?` as wildcards");
        }
        Ok(Self(value.into()))
    }
}

impl fmt::Debug for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_match_as_in_a_shell() {
        for (pattern, name, matches) in [
            ("a", "a", true),
            ("a", "A", false),
            ("a", "ab", false),
            ("ab", "a", false),
            ("*", "a", true),
            ("a*", "a", true),
            ("?", "a", true),
            ("??", "a", false),
            ("a?c", "abc", true),
            ("*.read", "files.read", true),
            ("*.read", "files.reader", false),
            ("*a*b", "xaxbxb", true),
            ("*a*b", "xaxbxc", false),
            ("a*b*c", "abbc", true),
            ("**", "a", true),
            ("a**?", "a", false),
        ] {
            let parsed: NamePattern = pattern.parse().unwrap();
            assert_eq!(parsed.matches(name), matches, "{pattern} {name}");
        }
    }

    #[test]
    fn a_costly_pattern_ends() {
        let pattern: NamePattern = "*a".repeat(64).parse().unwrap();
        assert!(!pattern.matches(&format!("{}b", "a".repeat(127))));
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        for (text, rule) in [
            ("", "1 to 128"),
            ("a b", "may hold only"),
            ("[ab]", "may hold only"),
        ] {
            let error = text.parse::<NamePattern>().unwrap_err().to_string();
            assert!(
                error.contains(rule) && error.contains(&format!("`{text}`")),
                "{error}"
            );
        }
        assert!("a".repeat(129).parse::<NamePattern>().is_err());
    }
}
