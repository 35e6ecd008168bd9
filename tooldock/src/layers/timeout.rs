//! A limit on how long a call may take.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, ToolEngine, error::Result, request::ResourceUri,
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
    /// The limit of `request`, and what to tell a caller when it has passed.
    async fn limit(&self, cx: &CallContext, request: &EngineRequest) -> Result<(Duration, String)> {
        let setting = "the limit that `TOOL_CALL_TIMEOUT_SECONDS` sets";
        let Some(name) = request.tool() else {
            let text = format!("no answer came within {} s, {setting}", self.limit.as_secs_f64());
            return Ok((self.limit, text));
        };
        let catalog = self.inner.catalog(cx).await?;
        let own = catalog.tool(name.as_str()).and_then(|tool| tool.timeout);
        let (limit, whose) = own.map_or((self.limit, setting), |own| {
            (own, "the limit of its own `timeout`")
        });
        let text = format!(
            "the tool `{name}` did not answer within {} s, {whose}",
            limit.as_secs_f64()
        );
        Ok((limit, text))
    }
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
        let (limit, text) = self.limit(&cx, &request).await?;
        let (clock, cancel) = (cx.clock().clone(), cx.cancelled().child_token());
        let end = clock.elapsed() + limit;
        tokio::select! {
            biased;
            reply = self.inner.serve(cx.with_cancel(cancel.clone()), request) => reply,
            () = clock.run_out(end) => {
                cancel.cancel();
                Err(EngineError::new(ErrorKind::Timeout, text))
            }
        }
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
