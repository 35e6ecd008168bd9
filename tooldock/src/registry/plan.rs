//! What a reload will do: a pure comparison of what runs with what is there.

use std::collections::BTreeMap;

use serde::Serialize;
use tooldock_engine::NamespaceName;

use super::{Origin, Version};

/// What a reload does with one namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Nothing: it is unchanged.
    Keep,
    /// Put layers with other limits around the engine that runs.
    Adjust,
    /// Start it: it is new.
    Start,
    /// Start the new version beside the old, exchange them, drain the old.
    Replace,
    /// Take it out and drain it.
    Drop,
    /// Leave it out: something else has its name.
    Refuse,
}

/// One line of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Which namespace.
    #[serde(serialize_with = "super::event::as_text")]
    pub namespace: NamespaceName,
    /// What is done.
    pub action: Action,
    /// Why.
    pub reason: &'static str,
}

/// Compares `live` (what runs) with `found` (what is there). Touches nothing.
///
/// ```
/// use std::collections::BTreeMap;
/// use tooldock::registry::{Action, Origin, Version, plan};
/// let version = Version { content: "1".to_owned(), policies: "1".to_owned() };
/// let live = BTreeMap::from([("old".parse()?, Origin::Source(version.clone()))]);
/// let steps = plan(&live, &BTreeMap::from([("new".parse()?, &version)]));
/// assert_eq!(steps.iter().map(|step| step.action).collect::<Vec<_>>(), [Action::Start, Action::Drop]);
/// # Ok::<(), tooldock::engine::name::NameError>(())
/// ```
#[must_use]
pub fn plan(live: &BTreeMap<NamespaceName, Origin>, found: &BTreeMap<NamespaceName, &Version>) -> Vec<Step> {
    let step = |namespace: &NamespaceName, action, reason| Step {
        namespace: namespace.clone(),
        action,
        reason,
    };
    let there = found
        .iter()
        .map(|(namespace, version)| match live.get(namespace) {
            None => step(namespace, Action::Start, "it is new"),
            Some(Origin::Code) => step(
                namespace,
                Action::Refuse,
                "the program itself mounts a namespace of this name",
            ),
            Some(Origin::Source(old)) if old == *version => {
                step(namespace, Action::Keep, "nothing has changed")
            }
            Some(Origin::Source(old)) if old.content == version.content => step(
                namespace,
                Action::Adjust,
                "only its limits or the choice of its tools have changed, so its engine goes on",
            ),
            Some(Origin::Source(_)) => step(
                namespace,
                Action::Replace,
                "its files, settings or secrets have changed",
            ),
        });
    let gone = live
        .iter()
        .filter(|(namespace, origin)| **origin != Origin::Code && !found.contains_key(*namespace));
    there
        .chain(gone.map(|(namespace, _)| step(namespace, Action::Drop, "its folder is gone")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_has_its_action() {
        let name = |text: &str| text.parse::<NamespaceName>().unwrap();
        let version = |content: &str, policies: &str| Version {
            content: content.to_owned(),
            policies: policies.to_owned(),
        };
        let source = |content| Origin::Source(version(content, "1"));
        let live = BTreeMap::from([
            (name("code"), Origin::Code),
            (name("gone"), source("1")),
            (name("new-files"), source("1")),
            (name("new-limits"), source("1")),
            (name("same"), source("1")),
        ]);
        let found = [
            (name("code"), version("9", "9")),
            (name("fresh"), version("1", "1")),
            (name("new-files"), version("2", "2")),
            (name("new-limits"), version("1", "2")),
            (name("same"), version("1", "1")),
        ];
        let found = found
            .iter()
            .map(|(name, version)| (name.clone(), version))
            .collect();
        let actions: Vec<_> = plan(&live, &found)
            .into_iter()
            .map(|step| (step.namespace.to_string(), step.action))
            .collect();
        let expected = [
            ("code", Action::Refuse),
            ("fresh", Action::Start),
            ("new-files", Action::Replace),
            ("new-limits", Action::Adjust),
            ("same", Action::Keep),
            ("gone", Action::Drop),
        ];
        assert_eq!(actions, expected.map(|(name, action)| (name.to_owned(), action)));
    }
}
