//! So many calls for each caller, whatever becomes of the engine.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use tooldock::{
    CallContext, Catalog, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind, NamespaceName,
    ToolEngine,
    engine::{Changes, Result, context::Principal, request::ResourceUri},
};

/// Callers that are counted at most; where there are more, the further ones are refused.
const MOST_CALLERS: usize = 10_000;

type Counts = Arc<Mutex<HashMap<(NamespaceName, Principal), u32>>>;

/// Puts [`Quota`] around engines. The counts belong to the layer, so a reload does not give anybody new calls.
#[derive(Debug, Clone)]
pub struct QuotaLayer {
    calls: u32,
    counts: Counts,
}

impl QuotaLayer {
    /// Gives each caller `calls` in each namespace.
    #[must_use]
    pub fn new(calls: u32) -> Self {
        Self {
            calls,
            counts: Counts::default(),
        }
    }

    /// Takes one call of the caller in `cx`.
    fn take(&self, cx: &CallContext) -> Result<()> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (cx.namespace().clone(), cx.caller().principal.clone());
        let full = counts.len() == MOST_CALLERS && !counts.contains_key(&key);
        let used = counts.get(&key).copied().unwrap_or_default();
        if full || used == self.calls {
            let text = format!(
                "all {} calls of your quota in `{}` are used",
                self.calls,
                cx.namespace()
            );
            return Err(EngineError::new(ErrorKind::Overloaded, text));
        }
        counts.insert(key, used + 1);
        Ok(())
    }
}

impl EngineLayer for QuotaLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        let layer = self.clone();
        Arc::new(Quota { inner, layer })
    }
}

/// An engine that answers each caller a limited number of calls.
#[derive(Debug)]
pub struct Quota {
    inner: Arc<dyn ToolEngine>,
    layer: QuotaLayer,
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Quota {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        self.layer.take(&cx)?;
        self.inner.serve(cx, request).await
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
