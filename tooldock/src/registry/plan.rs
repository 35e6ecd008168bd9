//! What a reload will do: a pure comparison of what runs with what is there.

use std::collections::BTreeMap;

use serde::Serialize;
use tooldock_engine::NamespaceName;

use super::Origin;

/// What a reload does with one namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Nothing: it is unchanged.
    Keep,
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

/// Compares `live` (what runs) with `found` (name and fingerprint of what is there). Touches nothing.
///
/// ```
/// use std::collections::BTreeMap;
/// use tooldock::registry::{Action, Origin, plan};
/// let live = BTreeMap::from([("old".parse()?, Origin::Source("1".to_owned()))]);
/// let steps = plan(&live, &BTreeMap::from([("new".parse()?, "1")]));
/// assert_eq!(steps.iter().map(|step| step.action).collect::<Vec<_>>(), [Action::Start, Action::Drop]);
/// # Ok::<(), tooldock::engine::name::NameError>(())
/// ```
#[must_use]
pub fn plan(live: &BTreeMap<NamespaceName, Origin>, found: &BTreeMap<NamespaceName, &str>) -> Vec<Step> {
    let step = |namespace: &NamespaceName, action, reason| Step {
        namespace: namespace.clone(),
        action,
        reason,
    };
    let there = found
        .iter()
        .map(|(namespace, fingerprint)| match live.get(namespace) {
            None => step(namespace, Action::Start, "it is new"),
            Some(Origin::Code) => step(
                namespace,
                Action::Refuse,
                "the program itself mounts a namespace of this name",
            ),
            Some(Origin::Source(old)) if old == fingerprint => {
                step(namespace, Action::Keep, "nothing has changed")
            }
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
        let source = |text: &str| Origin::Source(text.to_owned());
        let live = BTreeMap::from([
            (name("code"), Origin::Code),
            (name("gone"), source("1")),
            (name("new-files"), source("1")),
            (name("same"), source("1")),
        ]);
        let found = BTreeMap::from([
            (name("code"), "9"),
            (name("fresh"), "1"),
            (name("new-files"), "2"),
            (name("same"), "1"),
        ]);
        let actions: Vec<_> = plan(&live, &found)
            .into_iter()
            .map(|step| (step.namespace.to_string(), step.action))
            .collect();
        let expected = [
            ("code", Action::Refuse),
            ("fresh", Action::Start),
            ("new-files", Action::Replace),
            ("same", Action::Keep),
            ("gone", Action::Drop),
        ];
        assert_eq!(actions, expected.map(|(name, action)| (name.to_owned(), action)));
    }
}
