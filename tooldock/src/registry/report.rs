//! What a reload did.

use std::{collections::BTreeMap, fmt, sync::Arc};

use serde::Serialize;
use tooldock_engine::{Catalog, Tool};

use super::{Action, Rejected, Step, breaking::breaks};

/// What a reload did with one namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// What was planned, and why.
    #[serde(flatten)]
    pub step: Step,
    /// Why it could not be done; the last good version, if there is one, goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How the list of tools has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<ToolDiff>,
}

impl Outcome {
    pub(super) fn planned(step: Step) -> Self {
        Self {
            step,
            error: None,
            tools: None,
        }
    }
}

/// How a list of tools has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ToolDiff {
    /// Tools that were not there before.
    pub added: Vec<String>,
    /// Tools that are no longer there.
    pub removed: Vec<String>,
    /// Tools whose definition is another one.
    pub changed: Vec<String>,
    /// What callers of changed tools will notice, tool by tool. Nothing here, and nothing removed: every call that was right still is.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub breaking: BTreeMap<String, Vec<String>>,
}

impl ToolDiff {
    /// Compares two catalogs.
    #[must_use]
    pub fn between(old: &Catalog, new: &Catalog) -> Self {
        let only = |this: &Catalog, that: &Catalog| {
            let missing = |tool: &&Arc<Tool>| that.tool(tool.name.as_str()).is_none();
            this.tools()
                .iter()
                .filter(missing)
                .map(|tool| tool.name.to_string())
                .collect()
        };
        let differs = |tool: &&Arc<Tool>| old.tool(tool.name.as_str()).is_some_and(|before| before != *tool);
        let told = |tool: &Arc<Tool>| {
            let told = breaks(old.tool(tool.name.as_str())?, tool);
            (!told.is_empty()).then(|| (tool.name.to_string(), told))
        };
        Self {
            added: only(new, old),
            removed: only(old, new),
            changed: new
                .tools()
                .iter()
                .filter(differs)
                .map(|tool| tool.name.to_string())
                .collect(),
            breaking: new.tools().iter().filter_map(told).collect(),
        }
    }
}

impl fmt::Display for ToolDiff {
    /// `+added -removed ~changed`, by name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = |sign: char, names: &[String]| {
            names
                .iter()
                .map(move |name| format!("{sign}{name}"))
                .collect::<Vec<_>>()
        };
        let all = [
            signed('+', &self.added),
            signed('-', &self.removed),
            signed('~', &self.changed),
        ]
        .concat();
        f.write_str(&all.join(" "))
    }
}

/// What a reload did: the answer of `POST /reload`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReloadReport {
    /// Whether everything that was planned was done.
    pub ok: bool,
    /// Whether nothing was done because only the plan was asked for.
    pub dry_run: bool,
    /// One line for each namespace.
    pub namespaces: Vec<Outcome>,
    /// What is no namespace, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// Why nothing could be looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl ReloadReport {
    pub(super) fn unreadable(error: String) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
    }

    /// How many namespaces were treated so.
    #[must_use]
    pub fn count(&self, action: Action) -> usize {
        self.namespaces
            .iter()
            .filter(|outcome| outcome.step.action == action)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_names_each_tool_once() {
        let catalog = |tools: &[(&str, &str)]| {
            let add = |builder: tooldock_engine::catalog::CatalogBuilder, (name, text): &(&str, &str)| {
                let mut tool = Tool::new(name.parse().unwrap());
                tool.description = Some((*text).to_owned());
                builder.tool(tool)
            };
            tools.iter().fold(Catalog::builder(), add).build().unwrap()
        };
        let diff = ToolDiff::between(
            &catalog(&[("a", "1"), ("b", "1"), ("c", "1")]),
            &catalog(&[("b", "1"), ("c", "2"), ("d", "1")]),
        );
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            (diff.added, diff.removed, diff.changed),
            (names(&["d"]), names(&["a"]), names(&["c"]))
        );
    }
}
