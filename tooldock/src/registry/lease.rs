//! An engine that counts who still holds it.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio_util::task::task_tracker::TaskTrackerToken;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineReply, EngineRequest, ToolEngine, error::Result,
    request::ResourceUri,
};

/// One caller's hold on an engine. The engine is shut down only after all holds are dropped.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) engine: Arc<dyn ToolEngine>,
    pub(super) _hold: TaskTrackerToken,
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Lease {
    async fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.engine.catalog(cx).await
    }
    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.engine.changes(cx, watch)
    }
    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        self.engine.serve(cx, request).await
    }
    async fn shutdown(&self, grace: Duration) {
        self.engine.shutdown(grace).await;
    }
}
