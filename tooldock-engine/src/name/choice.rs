//! A choice among names.

use std::sync::Arc;

use super::{NameError, NamePattern};

/// A choice among names: those that a pattern allows and no pattern denies. Without an allowing pattern nothing is chosen.
///
/// Cloning is cheap.
///
/// ```
/// use tooldock_engine::name::NameChoice;
/// let choice = NameChoice::parse(["github_*", "!*_delete"])?;
/// assert!(choice.has("github_list"));
/// assert!(!choice.has("github_delete"), "deny beats allow");
/// assert!(!choice.has("gitlab_list"));
/// assert!(!NameChoice::parse(["!x"])?.has("y"), "nothing is allowed");
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct NameChoice {
    allow: Arc<[NamePattern]>,
    deny: Arc<[NamePattern]>,
}

impl NameChoice {
    /// The names that a pattern of `allow` means and none of `deny` does.
    #[must_use]
    pub fn new(
        allow: impl IntoIterator<Item = NamePattern>,
        deny: impl IntoIterator<Item = NamePattern>,
    ) -> Self {
        Self {
            allow: allow.into_iter().collect(),
            deny: deny.into_iter().collect(),
        }
    }

    /// Reads patterns; `!` in front of one denies what it means.
    ///
    /// # Errors
    /// When one of them is no pattern.
    pub fn parse<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Result<Self, NameError> {
        let (mut allow, mut deny) = (Vec::new(), Vec::new());
        for text in patterns {
            match text.strip_prefix('!') {
                Some(denied) => deny.push(denied.parse()?),
                None => allow.push(text.parse()?),
            }
        }
        Ok(Self::new(allow, deny))
    }

    /// Whether `name` is chosen.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let meant = |patterns: &[NamePattern]| patterns.iter().any(|pattern| pattern.matches(name));
        meant(&self.allow) && !meant(&self.deny)
    }
}
