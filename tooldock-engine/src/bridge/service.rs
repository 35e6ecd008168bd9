//! An engine as a Tower service.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::future::BoxFuture;
use tower_service::Service;

use crate::{CallContext, EngineError, EngineReply, EngineRequest, ToolEngine, error::Result};

/// One request to an engine with everything it carries: what a Tower service around an engine is asked.
///
/// It is no `Clone`, so that a layer that repeats or doubles requests does not compile by accident: a tool may send a mail or
/// book a flight, and only its author knows whether it may run twice. Whoever knows builds the second one from the parts.
///
/// ```compile_fail
/// fn again(call: &tooldock_engine::bridge::EngineCall) -> tooldock_engine::bridge::EngineCall { call.clone() }
/// ```
#[derive(Debug)]
pub struct EngineCall {
    /// Who calls, where, and the way back.
    pub cx: CallContext,
    /// What is asked.
    pub request: EngineRequest,
}

/// An engine as a Tower service. Clones are the same engine.
///
/// It is always ready: how many calls an engine takes at once is the business of a layer, or of the engine itself.
///
/// ```
/// use std::sync::Arc;
/// use tooldock_engine::{CallContext, Caller, EngineReply, EngineRequest, RawJson, StaticEngine, Tool, ToolOutput};
/// use tooldock_engine::bridge::{EngineCall, EngineService};
/// use tower::{ServiceBuilder, ServiceExt as _};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let engine = StaticEngine::builder()
///     .tool(Tool::new("ping".parse()?), async |_cx, _arguments| Ok(ToolOutput::text("pong")))
///     .build()?;
/// let service = ServiceBuilder::new().concurrency_limit(4).service(EngineService::new(Arc::new(engine)));
/// let cx = CallContext::new(Caller::local(), "demo".parse()?);
/// let request = EngineRequest::call_tool("ping".parse()?, RawJson::empty_object());
/// let reply = service.oneshot(EngineCall { cx, request }).await?;
/// assert!(matches!(reply, EngineReply::Tool(output) if output == ToolOutput::text("pong")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct EngineService(Arc<dyn ToolEngine>);

impl EngineService {
    /// The service of `engine`.
    #[must_use]
    pub fn new(engine: Arc<dyn ToolEngine>) -> Self {
        Self(engine)
    }
}

impl Service<EngineCall> for EngineService {
    type Response = EngineReply;
    type Error = EngineError;
    type Future = BoxFuture<'static, Result<EngineReply>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: EngineCall) -> Self::Future {
        let engine = self.0.clone();
        Box::pin(async move { engine.serve(call.cx, call.request).await })
    }
}
