//! What the scopes of a token allow.

use tooldock_engine::{context::Rights, name::NamePattern};

/// How scopes are written: a word of this gateway for everything, with a namespace behind a colon for that, with a tool behind another
/// one for that tool of it.
///
/// | Scope | Allows |
/// |---|---|
/// | `tooldock` | every tool of every namespace |
/// | `tooldock:github` | the namespace `github` |
/// | `tooldock:github:list_*` | its tools that begin with `list_` |
///
/// Names are patterns with `*` and `?`. What a token allows is what one of its scopes does; other scopes, and those that cannot be read,
/// allow nothing.
///
/// ```
/// use tooldock::http::Scopes;
/// let rights = Scopes::new("tooldock").rights("openid tooldock:github:list_*");
/// assert!(rights.may_use("github", "list_issues"));
/// assert!(!rights.may_use("github", "delete_issue") && !rights.may_enter("slack"));
/// assert!(!rights.may_manage());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scopes(Box<str>);

impl Default for Scopes {
    fn default() -> Self {
        Self::new("tooldock")
    }
}

impl Scopes {
    /// Scopes that begin with `word`.
    #[must_use]
    pub fn new(word: &str) -> Self {
        Self(word.into())
    }

    /// What `scopes` allow, which are separated by blanks. Nobody manages the gateway by them.
    #[must_use]
    pub fn rights(&self, scopes: &str) -> Rights {
        let mut grants = Vec::new();
        for scope in scopes.split_ascii_whitespace() {
            let mut parts = scope.split(':');
            if parts.next() != Some(&*self.0) {
                continue;
            }
            let read = |part: Option<&str>| part.map_or(Ok(NamePattern::any()), str::parse);
            if let (Ok(namespace), Ok(tool), None) = (read(parts.next()), read(parts.next()), parts.next()) {
                grants.push((namespace, tool));
            }
        }
        Rights::default().calls_only().granted(grants)
    }

    /// The least scope with which something can be done there.
    pub(super) fn least(&self, namespace: Option<&str>) -> String {
        match namespace {
            Some(namespace) => format!("{}:{namespace}", self.0),
            None => self.0.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s11_scopes_allow_what_they_name_and_nothing_else() {
        for (scopes, namespace, tool, may) in [
            ("", "a", "t", false),
            ("openid profile", "a", "t", false),
            ("tooldock", "a", "t", true),
            ("tooldock:a", "a", "t", true),
            ("tooldock:a", "b", "t", false),
            ("tooldock:a tooldock:b:x", "b", "x", true),
            ("tooldock:a tooldock:b:x", "b", "t", false),
            ("tooldock:a:t:more", "a", "t", false),
            ("tooldock:", "a", "t", false),
            ("tooldock:[a]", "a", "t", false),
            ("tooldockx", "a", "t", false),
            ("TOOLDOCK", "a", "t", false),
            ("tooldock:*:get_*", "any", "get_x", true),
        ] {
            let rights = Scopes::default().rights(scopes);
            assert_eq!(rights.may_use(namespace, tool), may, "{scopes}");
            assert!(
                !rights.may_manage() && (may || !rights.has_all_tools()),
                "{scopes}"
            );
        }
    }
}
