//! An engine that counts who still holds it.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use tokio_util::task::task_tracker::TaskTrackerToken;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineReply, EngineRequest, ToolEngine, error::Result,
    request::ResourceUri,
};

/// Counts how often engines were put in place or taken out. Each [`CallContext`] that a [`Registry`](super::Registry) serves is told of
/// it, so that a record can say what there was when the call began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Revision(pub u64);

/// One caller's hold on an engine. The engine is shut down only after all holds are dropped.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) engine: Arc<dyn ToolEngine>,
    pub(super) revision: Revision,
    pub(super) _hold: TaskTrackerToken,
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Lease {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.engine.catalog(cx)
    }
    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.engine.changes(cx, watch)
    }
    // Handed on as it is: an `async fn` would put the future into one more box.
    fn serve<'s, 'f>(&'s self, cx: CallContext, request: EngineRequest) -> BoxFuture<'f, Result<EngineReply>>
    where
        's: 'f,
        Self: 'f,
    {
        self.engine.serve(cx.with_revision(self.revision.0), request)
    }
    async fn shutdown(&self, grace: Duration) {
        self.engine.shutdown(grace).await;
    }
}
