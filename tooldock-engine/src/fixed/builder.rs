//! Putting a static engine together.

use std::{collections::HashMap, fmt, sync::Arc};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{StaticEngine, ToolHandler};
use crate::{
    Catalog, Tool, ToolName,
    catalog::{About, CatalogBuilder, DuplicateName},
};

/// Why a static engine cannot be built.
pub type StaticEngineError = DuplicateName;

/// Puts a [`StaticEngine`] together.
#[derive(Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct StaticEngineBuilder {
    catalog: CatalogBuilder,
    handlers: HashMap<ToolName, Arc<dyn ToolHandler>>,
}

impl StaticEngineBuilder {
    /// What to say about the namespace.
    pub fn about(mut self, about: About) -> Self {
        self.catalog = self.catalog.about(about);
        self
    }

    /// Adds a tool and what runs when it is called.
    pub fn tool(mut self, tool: Tool, handler: impl ToolHandler) -> Self {
        if tool.enabled {
            self.handlers.insert(tool.name.clone(), Arc::new(handler));
        }
        self.catalog = self.catalog.tool(tool);
        self
    }

    /// The engine.
    ///
    /// # Errors
    /// When two tools have one name.
    pub fn build(self) -> Result<StaticEngine, StaticEngineError> {
        let catalog: Arc<Catalog> = Arc::new(self.catalog.build()?);
        Ok(StaticEngine {
            catalog,
            handlers: self.handlers,
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
