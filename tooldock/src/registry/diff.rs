//! How what a namespace lists has changed.

use std::{collections::BTreeMap, fmt, sync::Arc};

use serde::Serialize;
use tooldock_engine::{Catalog, Tool};

use super::breaking::breaks;

/// How the lists of a namespace have changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CatalogDiff {
    /// Tools, by name.
    pub tools: ListDiff,
    /// Resources and templates of them, by address.
    #[serde(skip_serializing_if = "ListDiff::is_empty")]
    pub resources: ListDiff,
    /// Prompts, by name.
    #[serde(skip_serializing_if = "ListDiff::is_empty")]
    pub prompts: ListDiff,
}

/// How a list has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ListDiff {
    /// What was not there before.
    pub added: Vec<String>,
    /// What is no longer there.
    pub removed: Vec<String>,
    /// What has another definition.
    pub changed: Vec<String>,
    /// What callers of changed tools will notice, tool by tool. Nothing here, and nothing removed: every call that was right still is.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub breaking: BTreeMap<String, Vec<String>>,
}

impl CatalogDiff {
    /// Compares two catalogs.
    #[must_use]
    pub fn between(old: &Catalog, new: &Catalog) -> Self {
        let tools = |of: &Catalog| named(of.tools(), |tool| tool.name.as_str());
        let prompts = |of: &Catalog| named(of.prompts(), |prompt| &prompt.name);
        let resources = |of: &Catalog| {
            let templates = named(of.templates(), |template| &template.uri_template);
            let mut all = named(of.resources(), |resource| &resource.uri);
            all.extend(templates);
            all
        };
        let told = |tool: &Arc<Tool>| {
            let told = breaks(old.tool(tool.name.as_str())?, tool);
            (!told.is_empty()).then(|| (tool.name.to_string(), told))
        };
        Self {
            tools: ListDiff {
                breaking: new.tools().iter().filter_map(told).collect(),
                ..ListDiff::between(&tools(old), &tools(new))
            },
            resources: ListDiff::between(&resources(old), &resources(new)),
            prompts: ListDiff::between(&prompts(old), &prompts(new)),
        }
    }
}

/// What is listed, by name, each with its whole definition.
fn named<T: fmt::Debug>(list: &[Arc<T>], name: impl Fn(&T) -> &str) -> BTreeMap<String, String> {
    list.iter()
        .map(|one| (name(one).to_owned(), format!("{one:?}")))
        .collect()
}

impl ListDiff {
    fn between(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Self {
        let names = |map: &BTreeMap<String, String>, wanted: &dyn Fn(&str, &str) -> bool| {
            let wanted = map.iter().filter(|(name, definition)| wanted(name, definition));
            wanted.map(|(name, _)| name.clone()).collect()
        };
        Self {
            added: names(new, &|name, _| !old.contains_key(name)),
            removed: names(old, &|name, _| !new.contains_key(name)),
            changed: names(new, &|name, definition| {
                old.get(name).is_some_and(|before| before != definition)
            }),
            breaking: BTreeMap::new(),
        }
    }

    /// Whether nothing has changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for CatalogDiff {
    /// `+added -removed ~changed`, by name: tools, then resources, then prompts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = [&self.tools, &self.resources, &self.prompts];
        let signed = lists.into_iter().flat_map(|list| {
            let signed = [('+', &list.added), ('-', &list.removed), ('~', &list.changed)];
            signed
                .into_iter()
                .flat_map(|(sign, names)| names.iter().map(move |name| format!("{sign}{name}")))
        });
        f.write_str(&signed.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use tooldock_engine::catalog::{Prompt, Resource, ResourceTemplate};

    use super::*;

    #[test]
    fn a_diff_names_everything_once() {
        let catalog = |names: &[(&str, &str)]| {
            let add = |builder: tooldock_engine::catalog::CatalogBuilder, (name, text): &(&str, &str)| {
                let text = Some((*text).to_owned());
                let mut tool = Tool::new(name.parse().unwrap());
                tool.description.clone_from(&text);
                let mut prompt = Prompt::new(*name);
                prompt.description.clone_from(&text);
                let mut resource = Resource::new(format!("note://{name}"), *name);
                resource.description.clone_from(&text);
                let mut template = ResourceTemplate::new(format!("note://{name}/{{x}}"), *name);
                template.description = text;
                let builder = builder.tool(tool).prompt(prompt);
                builder.resource(resource).template(template)
            };
            names.iter().fold(Catalog::builder(), add).build().unwrap()
        };
        let diff = CatalogDiff::between(
            &catalog(&[("a", "1"), ("b", "1"), ("c", "1")]),
            &catalog(&[("b", "1"), ("c", "2"), ("d", "1")]),
        );
        let plain = ListDiff {
            added: vec!["d".to_owned()],
            removed: vec!["a".to_owned()],
            changed: vec!["c".to_owned()],
            breaking: BTreeMap::new(),
        };
        let both = |name: &str| vec![format!("note://{name}"), format!("note://{name}/{{x}}")];
        assert_eq!((&diff.tools, &diff.prompts), (&plain, &plain));
        assert_eq!(
            diff.resources,
            ListDiff {
                added: both("d"),
                removed: both("a"),
                changed: both("c"),
                breaking: BTreeMap::new(),
            }
        );
        assert!(diff.to_string().starts_with("+d -a ~c +note://d "), "{diff}");
        let told = serde_json::to_value(CatalogDiff::default()).unwrap();
        assert_eq!(told.as_object().unwrap().len(), 1, "what is as it was: {told}");
    }
}
