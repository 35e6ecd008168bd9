//! A panic in an engine becomes an error of one call.

use std::{
    any::Any,
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Duration,
};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, ToolEngine, ToolName, error::Result, request::ResourceUri,
};

/// Puts [`Panic`] around engines.
#[derive(Debug, Clone, Copy, Default)]
pub struct PanicLayer;

impl PanicLayer {
    /// The layer.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl EngineLayer for PanicLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        Arc::new(Panic { inner })
    }
}

/// An engine whose panics end one call with [`Internal`](ErrorKind::Internal) and nothing else.
///
/// What the panic said is logged under the request id; the caller is only told that something broke.
#[derive(Debug)]
pub struct Panic {
    inner: Arc<dyn ToolEngine>,
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Panic {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        // Nobody sees what a panic left half done: the catalog was not handed out.
        let catalog = catch_unwind(AssertUnwindSafe(|| self.inner.catalog(cx)));
        catalog.unwrap_or_else(|panic| Err(internal(cx, None, &*panic)))
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let tool = request.tool().cloned();
        let reply = caught(async { self.inner.serve(cx.clone(), request).await }).await;
        reply.unwrap_or_else(|panic| Err(internal(&cx, tool.as_ref(), &*panic)))
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}

/// Runs `future` and hands out what it panicked with, if it did.
async fn caught<T>(future: impl Future<Output = T>) -> std::thread::Result<T> {
    let mut future = pin!(future);
    poll_fn(|cx| {
        // A future that panicked is never polled again, so nobody sees what it left half done.
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    })
    .await
}

fn internal(cx: &CallContext, tool: Option<&ToolName>, panic: &(dyn Any + Send)) -> EngineError {
    let said = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a value that is no text");
    tracing::error!(
        request_id = cx.request_id(),
        namespace = cx.namespace().as_str(),
        tool = tool.map(ToolName::as_str),
        panic = said,
        "an engine panicked"
    );
    EngineError::new(
        ErrorKind::Internal,
        "something broke inside the gateway while it worked on this; the operator's log has the cause",
    )
}
