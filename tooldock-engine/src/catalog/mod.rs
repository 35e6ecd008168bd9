//! What an engine offers, as one immutable snapshot.

mod builder;
mod derived;
mod kind;
mod prompt;
mod prose;
mod resource;
mod tool;
mod uri_template;

use std::{fmt, sync::Arc};

use self::derived::Derived;
pub use self::{
    builder::{CatalogBuilder, DuplicateName},
    kind::Kind,
    prompt::{Prompt, PromptArgument},
    prose::{MAX_DESCRIPTION, clean_prose},
    resource::{Resource, ResourceTemplate},
    tool::Tool,
    uri_template::{UriTemplate, UriTemplateError, Variables},
};

/// What an engine offers: tools, resources, templates and prompts, each sorted by name, with a digest of it all.
///
/// A catalog never changes; an engine hands out another one. Whatever can be computed from a catalog alone is computed once and
/// kept with it: see [`derived`](Self::derived).
///
/// ```
/// use tooldock_engine::{Catalog, Tool};
/// let catalog = Catalog::builder().tool(Tool::new("add".parse()?)).build()?;
/// assert!(catalog.tool("add").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Catalog {
    parts: Parts,
    digest: [u8; 32],
    derived: Derived,
}

/// What a catalog is made of.
#[derive(Debug, Clone)]
struct Parts {
    about: About,
    tools: Vec<Arc<Tool>>,
    resources: Vec<Arc<Resource>>,
    templates: Vec<Arc<ResourceTemplate>>,
    prompts: Vec<Arc<Prompt>>,
    completes: bool,
    open: bool,
}

/// What the author of a namespace says about it.
///
/// ```
/// use tooldock_engine::catalog::{About, Catalog};
/// let about = About { description: Some("Mail of the team".into()), ..About::default() };
/// let catalog = Catalog::builder().about(about).build()?;
/// assert_eq!(catalog.about().description.as_deref(), Some("Mail of the team"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct About {
    /// What it is for; becomes `instructions` of MCP and the description of the OpenAPI document.
    pub description: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// Who made it.
    pub author: Option<String>,
}

impl Catalog {
    /// Starts an empty catalog.
    pub fn builder() -> CatalogBuilder {
        CatalogBuilder::default()
    }

    /// What the author says about the namespace.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.parts.about
    }

    /// The tools that are switched on, sorted by name. A tool that is off is in no catalog.
    #[must_use]
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.parts.tools
    }

    /// The tool called `name`.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Arc<Tool>> {
        let index = self
            .parts
            .tools
            .binary_search_by(|tool| tool.name.as_str().cmp(name))
            .ok()?;
        self.parts.tools.get(index)
    }

    /// The resources, sorted by address.
    #[must_use]
    pub fn resources(&self) -> &[Arc<Resource>] {
        &self.parts.resources
    }

    /// The resource templates, sorted by address.
    #[must_use]
    pub fn templates(&self) -> &[Arc<ResourceTemplate>] {
        &self.parts.templates
    }

    /// The resource at `uri`, if it is listed itself.
    #[must_use]
    pub fn resource(&self, uri: &str) -> Option<&Arc<Resource>> {
        let index = self
            .parts
            .resources
            .binary_search_by(|resource| (*resource.uri).cmp(uri));
        self.parts.resources.get(index.ok()?)
    }

    /// The template that has the address `uri`, with the values of its variables: of several the one that fixes most of the address.
    #[must_use]
    pub fn template(&self, uri: &str) -> Option<(&Arc<ResourceTemplate>, Variables)> {
        let read = self.uri_templates();
        let fitting = self
            .parts
            .templates
            .iter()
            .zip(&*read)
            .filter_map(|(template, read)| {
                let read = read.as_ref()?;
                Some((template, read.fixed(), read.read(uri)?))
            });
        let (template, _, values) = fitting.max_by_key(|(_, fixed, _)| *fixed)?;
        Some((template, values))
    }

    /// Whether there can be a resource at `uri`. Where a template is of a form that is not read here, only its engine knows.
    #[must_use]
    pub fn may_have(&self, uri: &str) -> bool {
        self.resource(uri).is_some()
            || self.uri_templates().iter().any(|template| match template {
                Some(template) => template.read(uri).is_some(),
                None => true,
            })
    }

    /// The templates as they are matched; nothing for one of a form that is not read here.
    fn uri_templates(&self) -> Arc<Vec<Option<UriTemplate>>> {
        #[derive(PartialEq, Eq, Hash)]
        struct Read;
        let read = |template: &Arc<ResourceTemplate>| template.uri_template.parse().ok();
        self.derived(Read, || self.parts.templates.iter().map(read).collect())
    }

    /// The prompts, sorted by name.
    #[must_use]
    pub fn prompts(&self) -> &[Arc<Prompt>] {
        &self.parts.prompts
    }

    /// The prompt called `name`.
    #[must_use]
    pub fn prompt(&self, name: &str) -> Option<&Arc<Prompt>> {
        let index = self
            .parts
            .prompts
            .binary_search_by(|prompt| (*prompt.name).cmp(name));
        self.parts.prompts.get(index.ok()?)
    }

    /// Whether there are things of this kind, or may be in a later catalog of the same engine.
    #[must_use]
    pub fn offers(&self, kind: Kind) -> bool {
        self.parts.open
            || match kind {
                Kind::Tools => !self.parts.tools.is_empty(),
                Kind::Resources => !(self.parts.resources.is_empty() && self.parts.templates.is_empty()),
                Kind::Prompts => !self.parts.prompts.is_empty(),
                Kind::Completions => self.parts.completes,
            }
    }

    /// SHA-256 of everything in it: equal for catalogs of equal content.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// A value that depends on this catalog and `key` alone, computed by `make` at the first call and kept with the catalog.
    ///
    /// The type of the key says what it is, its value which one. Keys must come from a small, bounded set: revisions, views, tool
    /// names; nothing a caller can invent. `make` may run twice when two callers are first at the same time.
    ///
    /// ```
    /// # use tooldock_engine::Catalog;
    /// #[derive(PartialEq, Eq, Hash)]
    /// struct Greeting(&'static str);
    /// let catalog = Catalog::builder().build()?;
    /// let first = catalog.derived(Greeting("en"), || "hello".to_owned());
    /// let second = catalog.derived(Greeting("en"), || unreachable!());
    /// assert!(std::sync::Arc::ptr_eq(&first, &second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn derived<K, V>(&self, key: K, make: impl FnOnce() -> V) -> Arc<V>
    where
        K: Eq + std::hash::Hash + Send + Sync + 'static,
        V: Send + Sync + 'static,
    {
        self.derived.get(key, make)
    }

    /// Names of tools that resemble `name`, nearest first, at most three: for the text of an error.
    ///
    /// ```
    /// # use tooldock_engine::{Catalog, Tool};
    /// let catalog = Catalog::builder().tool(Tool::new("search_mail".parse()?)).build()?;
    /// assert_eq!(catalog.similar_tools("serch_mail"), ["search_mail"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn similar_tools(&self, name: &str) -> Vec<&str> {
        let mut near: Vec<(usize, &str)> = self
            .parts
            .tools
            .iter()
            .map(|tool| (tool::distance(name, tool.name.as_str()), tool.name.as_str()))
            .filter(|(distance, tool)| *distance <= 1 + tool.len() / 4)
            .collect();
        near.sort_unstable();
        near.into_iter().take(3).map(|(_, tool)| tool).collect()
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog")
            .field(
                "tools",
                &self.parts.tools.iter().map(|tool| &tool.name).collect::<Vec<_>>(),
            )
            .field("resources", &self.parts.resources.len())
            .field("templates", &self.parts.templates.len())
            .field("prompts", &self.parts.prompts.len())
            .finish_non_exhaustive()
    }
}
