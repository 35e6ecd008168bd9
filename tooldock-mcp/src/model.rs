//! What the server says about itself.

use std::sync::Arc;

use tooldock_engine::{Catalog, NamespaceName, RawJson, catalog::Kind, json::ObjectWriter};

use crate::{
    revision::{Era, Feature, Revision, Revisions},
    watch::List,
};

/// Name and version of a program.
#[derive(Debug, Clone)]
pub(crate) struct Implementation {
    name: Arc<str>,
    version: Arc<str>,
}

impl Implementation {
    pub(crate) fn new(name: &str, version: &str) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
        }
    }

    /// How the program introduces itself in `namespace`, whose name is its title; the version is the namespace's own if it has one.
    pub(crate) fn introduce(
        &self,
        namespace: &NamespaceName,
        catalog: &Catalog,
        revision: Revision,
    ) -> RawJson {
        let mut out = ObjectWriter::new();
        out.string("name", &self.name);
        if revision.has(Feature::Titles) {
            out.string("title", namespace.as_str());
        }
        let own = catalog.about().version.as_deref();
        out.string("version", own.unwrap_or(&self.version));
        out.finish()
    }
}

/// Writes `capabilities`: what a namespace that lists `catalog` has or may get, and nothing else. The one place that declares anything.
pub(crate) fn write_capabilities(out: &mut ObjectWriter, catalog: &Catalog, revision: Revision) {
    out.object("capabilities", |all| {
        all.object("logging", |_| {});
        if catalog.offers(Kind::Completions) && revision.has(Feature::Completions) {
            all.object("completions", |_| {});
        }
        for list in List::ALL.into_iter().filter(|list| list.is_offered(catalog)) {
            let name = match list {
                List::Tools => "tools",
                List::Prompts => "prompts",
                List::Resources => "resources",
            };
            all.object(name, |one| {
                if list == List::Resources {
                    one.flag("subscribe", true);
                }
                one.flag("listChanged", true);
            });
        }
    });
}

/// Writes `instructions`, if the author of the namespace says what it is for.
pub(crate) fn write_instructions(out: &mut ObjectWriter, catalog: &Catalog) {
    if let Some(text) = &catalog.about().description {
        out.string("instructions", text);
    }
}

/// The revisions that clients of the modern era are told of: in `server/discover` and in refusals alike.
pub(crate) fn supported(spoken: Revisions) -> RawJson {
    let names: Vec<&str> = spoken.of_era(Era::Modern).map(Revision::as_str).collect();
    RawJson::from(serde_json::Value::from(names))
}

/// What of `required` the client does not declare; nothing if it declares all of it. Both are ClientCapabilities objects.
pub(crate) fn missing_capabilities(
    required: &RawJson,
    declared: Option<&RawJson>,
) -> Option<serde_json::Value> {
    let required = required.parse().unwrap_or(serde_json::Value::Null);
    let declared = declared
        .and_then(|declared| declared.parse().ok())
        .unwrap_or(serde_json::Value::Null);
    missing(&required, &declared)
}

fn missing(required: &serde_json::Value, declared: &serde_json::Value) -> Option<serde_json::Value> {
    let members = required.as_object()?;
    let lacking: serde_json::Map<String, serde_json::Value> = members
        .iter()
        .filter_map(|(name, inner)| match declared.get(name) {
            None => Some((name.clone(), inner.clone())),
            Some(declared) => Some((name.clone(), missing(inner, declared)?)),
        })
        .collect();
    (!lacking.is_empty()).then(|| lacking.into())
}
