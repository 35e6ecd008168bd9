//! The operator's choice among the tools of a namespace.

mod selection;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineLayer, EngineReply, EngineRequest, NamespaceName, ToolEngine,
    error::Result, fixed::unknown_tool, request::ResourceUri,
};

pub use self::selection::Selection;
use super::Overrides;

/// Puts [`Select`] around engines of namespaces for which the operator has chosen.
#[derive(Debug, Clone, Default)]
pub struct SelectLayer {
    overrides: Arc<Overrides>,
}

impl SelectLayer {
    /// A layer that leaves each namespace the tools that `overrides` names for it.
    #[must_use]
    pub const fn new(overrides: Arc<Overrides>) -> Self {
        Self { overrides }
    }
}

impl EngineLayer for SelectLayer {
    fn layer(&self, namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        let selection = self.overrides.of(namespace).selection;
        if selection.is_everything() {
            return inner;
        }
        Arc::new(Select { inner, selection })
    }
}

/// An engine of which only a [`Selection`] of tools exists.
///
/// One catalog decides what is listed and what can be called. The answer to a call of a tool that is left out is the answer to a
/// call of a tool that never was. Resources and prompts are not chosen.
#[derive(Debug)]
pub struct Select {
    inner: Arc<dyn ToolEngine>,
    selection: Selection,
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Select {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        Ok(self.selection.of(&*self.inner.catalog(cx)?))
    }

    // Hints only: a change of tools that are left out leaves the digest of the catalog as it is.
    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        if let Some(tool) = request.tool() {
            let catalog = self.catalog(&cx)?;
            if catalog.tool(tool.as_str()).is_none() {
                return Err(unknown_tool(&catalog, tool.as_str()));
            }
        }
        self.inner.serve(cx, request).await
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
