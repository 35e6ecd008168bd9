//! Who may use which tool.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Caller, Catalog, Changes, EngineLayer, EngineReply, EngineRequest, NamespaceName,
    ToolEngine, ToolName, error::Result, fixed::unknown_tool, request::ResourceUri,
};

type Predicate = dyn Fn(&Caller, &NamespaceName, &ToolName) -> bool + Send + Sync;

/// Puts [`Authorize`] around engines.
///
/// ```
/// use std::sync::Arc;
/// use tooldock::{CallContext, Caller, EngineExt as _, EngineLayer as _, StaticEngine, Tool, ToolOutput, layers::AuthorizeLayer};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let engine = StaticEngine::builder()
///     .tool(Tool::new("list".parse()?), async |_cx, _arguments| Ok(ToolOutput::text("…")))
///     .tool(Tool::new("delete".parse()?), async |_cx, _arguments| Ok(ToolOutput::text("gone")))
///     .build()?;
/// let readers = AuthorizeLayer::new(|caller, _namespace, tool| {
///     caller.principal.name() == "admin" || tool.as_str() != "delete"
/// });
/// let engine = readers.layer(&"files".parse()?, Arc::new(engine));
/// let cx = CallContext::new(Caller::local(), "files".parse()?);
/// assert_eq!(engine.list_tools(&cx).await?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Default)]
pub struct AuthorizeLayer(Option<Arc<Predicate>>);

impl AuthorizeLayer {
    /// Leaves each caller the tools of his [`Rights`](tooldock_engine::context::Rights), as [`default`](Self::default) does, and of
    /// those only the ones for which `may` says so.
    ///
    /// It is asked at each call and, for every tool, at each list: it must be quick, and it decides anew each time, so that what was
    /// taken away is gone at once.
    #[must_use]
    pub fn new(may: impl Fn(&Caller, &NamespaceName, &ToolName) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(may)))
    }

    fn allows(&self, cx: &CallContext, tool: &ToolName) -> bool {
        let (caller, namespace) = (cx.caller(), cx.namespace());
        let rights = caller.principal.rights();
        rights.may_use(namespace.as_str(), tool.as_str())
            && self.0.as_ref().is_none_or(|may| may(caller, namespace, tool))
    }

    /// Whether no tool is kept from the caller, so that none has to be looked at.
    fn allows_all(&self, cx: &CallContext) -> bool {
        self.0.is_none() && cx.caller().principal.rights().has_all_tools()
    }
}

impl fmt::Debug for AuthorizeLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuthorizeLayer")
    }
}

impl EngineLayer for AuthorizeLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        Arc::new(Authorize {
            inner,
            layer: self.clone(),
        })
    }
}

/// An engine of which each caller sees the tools he may use.
///
/// One predicate decides what is listed and what can be called, and a tool that a caller may not use is answered like one that
/// never was. Resources and prompts are not decided about.
#[derive(Debug)]
pub struct Authorize {
    inner: Arc<dyn ToolEngine>,
    layer: AuthorizeLayer,
}

/// Which tools of a catalog a caller may use, in the order of the catalog. There are as many as there are sorts of callers.
#[derive(PartialEq, Eq, Hash)]
struct Permitted(Vec<bool>);

impl Authorize {
    /// What is left of `catalog` for the caller in `cx`; made once for all who may use the same.
    fn left(&self, cx: &CallContext, catalog: Arc<Catalog>) -> Arc<Catalog> {
        if self.layer.allows_all(cx) {
            return catalog;
        }
        let tools = catalog.tools().iter();
        let permitted: Vec<bool> = tools.map(|tool| self.layer.allows(cx, &tool.name)).collect();
        if permitted.iter().all(|may| *may) {
            return catalog;
        }
        let may = catalog.tools().iter().zip(&permitted).filter(|(_, may)| **may);
        let left: Vec<_> = may.map(|(tool, _)| tool.name.clone()).collect();
        catalog.derived(Permitted(permitted), || {
            catalog.with_tools(|tool| left.binary_search(&tool.name).is_ok())
        })
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Authorize {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        Ok(self.left(cx, self.inner.catalog(cx)?))
    }

    // Hints only: a change of tools that this caller does not see leaves the digest of his catalog as it is.
    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        if let Some(tool) = request.tool()
            && !self.layer.allows_all(&cx)
        {
            let catalog = self.inner.catalog(&cx)?;
            if catalog.tool(tool.as_str()).is_none() || !self.layer.allows(&cx, tool) {
                // Names that resemble it are taken from what this caller sees.
                return Err(unknown_tool(&self.left(&cx, catalog), tool.as_str()));
            }
        }
        self.inner.serve(cx, request).await
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
