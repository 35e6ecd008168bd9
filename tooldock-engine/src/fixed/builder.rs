//! Putting a static engine together.

use std::{fmt, sync::Arc};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Address, Handler, StaticEngine, Updates, handlers::Handlers};
use crate::{
    Catalog, RawJson, Tool, ToolOutput,
    catalog::{
        About, CatalogBuilder, DuplicateName, Prompt, Resource, ResourceTemplate, UriTemplate,
        UriTemplateError,
    },
    output::{Completion, PromptOutput, ResourceOutput},
    request::{Complete, GetPrompt},
};

/// Why a static engine cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StaticEngineError {
    /// Two things of one sort have one name.
    #[error(transparent)]
    DuplicateName(#[from] DuplicateName),
    /// The template of a family of resources cannot be read.
    #[error(transparent)]
    UriTemplate(#[from] UriTemplateError),
}

/// Puts a [`StaticEngine`] together.
#[derive(Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct StaticEngineBuilder {
    catalog: CatalogBuilder,
    handlers: Handlers,
    updates: Updates,
    /// The first template that cannot be read.
    unreadable: Option<UriTemplateError>,
}

impl StaticEngineBuilder {
    /// What to say about the namespace.
    pub fn about(mut self, about: About) -> Self {
        self.catalog = self.catalog.about(about);
        self
    }

    /// Adds a tool and what runs when it is called.
    pub fn tool(mut self, tool: Tool, handler: impl Handler<RawJson, ToolOutput>) -> Self {
        if tool.enabled {
            self.handlers.tools.insert(tool.name.clone(), Arc::new(handler));
        }
        self.catalog = self.catalog.tool(tool);
        self
    }

    /// Adds a resource and what reads it.
    pub fn resource(mut self, resource: Resource, handler: impl Handler<Address, ResourceOutput>) -> Self {
        self.handlers
            .resources
            .insert(resource.uri.clone(), Arc::new(handler));
        self.catalog = self.catalog.resource(resource);
        self
    }

    /// Adds a family of resources and what reads them.
    pub fn template(
        mut self,
        template: ResourceTemplate,
        handler: impl Handler<Address, ResourceOutput>,
    ) -> Self {
        let read = template.uri_template.parse::<UriTemplate>();
        self.unreadable = self.unreadable.or(read.err());
        self.handlers
            .templates
            .insert(template.uri_template.clone(), Arc::new(handler));
        self.catalog = self.catalog.template(template);
        self
    }

    /// Adds a prompt and what fills it in. A request without an argument that it requires is refused.
    pub fn prompt(mut self, prompt: Prompt, handler: impl Handler<GetPrompt, PromptOutput>) -> Self {
        self.handlers
            .prompts
            .insert(prompt.name.clone(), Arc::new(handler));
        self.catalog = self.catalog.prompt(prompt);
        self
    }

    /// Sets what completes the arguments of all prompts and templates.
    pub fn completion(mut self, handler: impl Handler<Complete, Completion>) -> Self {
        self.handlers.completion = Some(Arc::new(handler));
        self.catalog = self.catalog.completes();
        self
    }

    /// Lets `updates` tell whoever watches resources of this engine.
    pub fn updates(mut self, updates: &Updates) -> Self {
        self.updates = updates.clone();
        self
    }

    /// The engine.
    ///
    /// # Errors
    /// When two things of one sort have one name, or a template cannot be read.
    pub fn build(self) -> Result<StaticEngine, StaticEngineError> {
        if let Some(unreadable) = self.unreadable {
            return Err(unreadable.into());
        }
        let catalog: Arc<Catalog> = Arc::new(self.catalog.build()?);
        Ok(StaticEngine {
            catalog,
            handlers: self.handlers,
            updates: self.updates,
            running: TaskTracker::new(),
            stop: CancellationToken::new(),
        })
    }
}

impl fmt::Debug for StaticEngineBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticEngineBuilder")
            .field("catalog", &self.catalog)
            .finish_non_exhaustive()
    }
}
