//! Which tools of a namespace exist.

use std::sync::Arc;

use tooldock_engine::{
    Catalog,
    name::{NameChoice, NamePattern},
};

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
/// # Ok::<(), tooldock::engine::name::NameError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Selection(Option<NameChoice>);

impl Selection {
    /// The tools that a pattern of `allow` names, or all if there is none, without those that a pattern of `deny` names.
    #[must_use]
    pub fn new(
        allow: impl IntoIterator<Item = NamePattern>,
        deny: impl IntoIterator<Item = NamePattern>,
    ) -> Self {
        let (mut allow, deny) = (Vec::from_iter(allow), Vec::from_iter(deny));
        if allow.is_empty() && deny.is_empty() {
            return Self(None);
        }
        if allow.is_empty() {
            allow.push(NamePattern::any());
        }
        Self(Some(NameChoice::new(allow, deny)))
    }

    /// Whether no tool is left out, whatever it is called.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.0.is_none()
    }

    /// Whether a tool called `name` exists.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|choice| choice.has(name))
    }

    /// `catalog` with the tools that exist and everything that is no tool, made once and kept with `catalog`.
    pub(super) fn of(&self, catalog: &Catalog) -> Arc<Catalog> {
        catalog.derived(self.clone(), || {
            catalog.with_tools(|tool| self.has(tool.name.as_str()))
        })
    }
}
