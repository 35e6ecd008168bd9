//! What a principal may do.

use std::sync::Arc;

use crate::name::{NameChoice, NamePattern};

/// What a principal may do: everything, unless it is limited.
///
/// Every door asks the same questions here: [`Mounts::mount`](crate::Mounts::mount) whether a namespace may be entered, before it looks
/// whether there is such a namespace, and the authorizing layer whether a tool may be used, for lists and calls alike.
///
/// ```
/// use tooldock_engine::{context::Rights, name::NameChoice};
/// let rights = Rights::default()
///     .in_namespaces(NameChoice::parse(["github", "team-*", "!team-secret"])?)
///     .with_tools(NameChoice::parse(["*", "!delete_*"])?);
/// assert!(rights.may_use("team-blue", "list"));
/// assert!(!rights.may_use("team-blue", "delete_all") && !rights.may_enter("team-secret"));
/// assert!(!rights.may_manage(), "whoever is limited manages nothing");
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Rights {
    namespaces: Option<NameChoice>,
    tools: Option<NameChoice>,
    grants: Option<Arc<[(NamePattern, NamePattern)]>>,
    calls_only: bool,
}

impl Rights {
    /// Limits them to some namespaces.
    #[must_use]
    pub fn in_namespaces(mut self, namespaces: NameChoice) -> Self {
        self.namespaces = Some(namespaces);
        self
    }

    /// Limits them to some tools, in whichever namespace these are. Resources and prompts are those of the namespace.
    #[must_use]
    pub fn with_tools(mut self, tools: NameChoice) -> Self {
        self.tools = Some(tools);
        self
    }

    /// Limits them to pairs: tools that fit the second pattern, in namespaces that fit the first. Without a pair nothing is allowed.
    ///
    /// ```
    /// use tooldock_engine::context::Rights;
    /// let rights = Rights::default().granted([("github".parse()?, "list_*".parse()?), ("slack".parse()?, "*".parse()?)]);
    /// assert!(rights.may_use("github", "list_issues") && rights.may_use("slack", "delete"));
    /// assert!(!rights.may_use("github", "delete") && !rights.may_enter("team-blue"));
    /// # Ok::<(), tooldock_engine::name::NameError>(())
    /// ```
    #[must_use]
    pub fn granted(mut self, pairs: impl IntoIterator<Item = (NamePattern, NamePattern)>) -> Self {
        self.grants = Some(pairs.into_iter().collect());
        self
    }

    /// Whether one of the pairs is about `namespace`, and about `tool` if there is one.
    fn grants(&self, namespace: &str, tool: Option<&str>) -> bool {
        let about = |(place, tools): &(NamePattern, NamePattern)| {
            place.matches(namespace) && tool.is_none_or(|tool| tools.matches(tool))
        };
        self.grants.as_ref().is_none_or(|grants| grants.iter().any(about))
    }

    /// Takes away the right to manage the gateway.
    #[must_use]
    pub fn calls_only(mut self) -> Self {
        self.calls_only = true;
        self
    }

    /// Whether `namespace` may be entered, if there is one.
    #[must_use]
    pub fn may_enter(&self, namespace: &str) -> bool {
        self.namespaces
            .as_ref()
            .is_none_or(|namespaces| namespaces.has(namespace))
            && self.grants(namespace, None)
    }

    /// Whether `tool` of `namespace` may be seen and called, if there is one.
    #[must_use]
    pub fn may_use(&self, namespace: &str, tool: &str) -> bool {
        self.may_enter(namespace)
            && self.tools.as_ref().is_none_or(|tools| tools.has(tool))
            && self.grants(namespace, Some(tool))
    }

    /// Whether the gateway may be managed: reloaded, and looked at behind its doors. Whoever is limited in any way may not.
    #[must_use]
    pub fn may_manage(&self) -> bool {
        !self.calls_only && self.has_all_tools()
    }

    /// Whether every tool of every namespace may be used.
    #[must_use]
    pub fn has_all_tools(&self) -> bool {
        self.namespaces.is_none() && self.tools.is_none() && self.grants.is_none()
    }

    /// Whether every namespace may be entered, also those that are not there yet.
    #[must_use]
    pub fn has_all_namespaces(&self) -> bool {
        self.namespaces.is_none() && self.grants.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(patterns: &[&str]) -> NameChoice {
        NameChoice::parse(patterns.iter().copied()).unwrap()
    }

    #[test]
    fn s8_an_empty_rule_allows_nothing_and_deny_beats_allow() {
        for (patterns, name, chosen) in [
            (&[][..], "a", false),
            (&["!b"], "a", false),
            (&["*"], "a", true),
            (&["*", "!a"], "a", false),
            (&["!a", "a"], "a", false),
            (&["a?", "!ab"], "ac", true),
            (&["a?", "!ab"], "ab", false),
            (&["A"], "a", false),
        ] {
            let choice = choice(patterns);
            assert_eq!(choice.has(name), chosen, "{patterns:?} {name}");
            assert_eq!(
                Rights::default().in_namespaces(choice.clone()).may_enter(name),
                chosen
            );
            assert_eq!(Rights::default().with_tools(choice).may_use("x", name), chosen);
        }
        assert!(NameChoice::parse(["a", "[b]"]).is_err() && NameChoice::parse(["!"]).is_err());
    }

    #[test]
    fn s9_whoever_is_limited_never_manages() {
        let all = Rights::default();
        assert!(all.may_manage());
        for limited in [
            all.clone().calls_only(),
            all.clone().in_namespaces(choice(&["*"])),
            all.with_tools(choice(&["*"])),
        ] {
            assert!(!limited.may_manage(), "{limited:?}");
        }
    }
}
