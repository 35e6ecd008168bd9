//! A limit on how long a call may take.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, ToolEngine, ToolName, error::Result, request::ResourceUri,
};

/// Puts [`Timeout`] around engines.
#[derive(Debug, Clone, Copy)]
pub struct TimeoutLayer {
    limit: Duration,
}

impl TimeoutLayer {
    /// A layer that gives `limit` to each request, except to tools that have a limit of their own.
    #[must_use]
    pub const fn new(limit: Duration) -> Self {
        Self { limit }
    }
}

impl EngineLayer for TimeoutLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        Arc::new(Timeout {
            inner,
            limit: self.limit,
        })
    }
}

/// An engine whose requests end after a limit: the tool's own, else the layer's.
///
/// Time in which a call waits for its client does not count, nor does time before the call came here. When the limit is
/// reached, the call is cancelled and dropped, and the caller is told [`Timeout`](ErrorKind::Timeout).
#[derive(Debug)]
pub struct Timeout {
    inner: Arc<dyn ToolEngine>,
    limit: Duration,
}

impl Timeout {
    /// The limit that the requested tool has of its own.
    async fn own(&self, cx: &CallContext, request: &EngineRequest) -> Result<Option<Duration>> {
        let Some(name) = request.tool() else {
            return Ok(None);
        };
        let catalog = self.inner.catalog(cx).await?;
        Ok(catalog.tool(name.as_str()).and_then(|tool| tool.timeout))
    }
}

fn expired(tool: Option<&ToolName>, own: Option<Duration>, limit: Duration) -> EngineError {
    let what = tool.map_or("the request".to_owned(), |tool| format!("the tool `{tool}`"));
    let whose = own.map_or(
        "that `TOOL_CALL_TIMEOUT_SECONDS` sets",
        |_| "of its own `timeout`",
    );
    let text = format!(
        "{what} was not answered within {} s, the limit {whose}",
        limit.as_secs_f64()
    );
    EngineError::new(ErrorKind::Timeout, text)
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Timeout {
    async fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx).await
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let tool = request.tool().cloned();
        let own = self.own(&cx, &request).await?;
        let limit = own.unwrap_or(self.limit);
        let (clock, cancel) = (cx.clock().clone(), cx.cancelled().child_token());
        let end = clock.elapsed() + limit;
        tokio::select! {
            biased;
            reply = self.inner.serve(cx.with_cancel(cancel.clone()), request) => reply,
            () = clock.run_out(end) => {
                cancel.cancel();
                Err(expired(tool.as_ref(), own, limit))
            }
        }
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
