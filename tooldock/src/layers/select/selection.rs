//! Which tools of a namespace exist.

use std::sync::Arc;

use tooldock_engine::Catalog;

use super::ToolPattern;

/// Which tools of a namespace exist: all that a pattern of `allow` names and none of `deny` does. Without a pattern in `allow`,
/// all are allowed.
///
/// Cloning is cheap.
///
/// ```
/// use tooldock::layers::Selection;
/// let selection = Selection::new(["github_*".parse()?], ["*_delete".parse()?]);
/// assert!(selection.has("github_list"));
/// assert!(!selection.has("github_delete"), "deny beats allow");
/// assert!(!selection.has("gitlab_list"));
/// # Ok::<(), tooldock::layers::PatternError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Selection {
    allow: Arc<[ToolPattern]>,
    deny: Arc<[ToolPattern]>,
}

impl Selection {
    /// The tools that a pattern of `allow` names, or all if there is none, without those that a pattern of `deny` names.
    #[must_use]
    pub fn new(
        allow: impl IntoIterator<Item = ToolPattern>,
        deny: impl IntoIterator<Item = ToolPattern>,
    ) -> Self {
        Self {
            allow: allow.into_iter().collect(),
            deny: deny.into_iter().collect(),
        }
    }

    /// Whether no tool is left out, whatever it is called.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.allow.is_empty() && self.deny.is_empty()
    }

    /// Whether a tool called `name` exists.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let named = |patterns: &[ToolPattern]| patterns.iter().any(|pattern| pattern.matches(name));
        (self.allow.is_empty() || named(&self.allow)) && !named(&self.deny)
    }

    /// `catalog` with the tools that exist and everything that is no tool, made once and kept with `catalog`.
    pub(super) fn of(&self, catalog: &Catalog) -> Arc<Catalog> {
        catalog.derived(self.clone(), || {
            catalog.with_tools(|tool| self.has(tool.name.as_str()))
        })
    }
}
