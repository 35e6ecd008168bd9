//! An engine whose tools are Rust closures.

mod builder;
mod handler;

use std::{collections::HashMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use self::{
    builder::{StaticEngineBuilder, StaticEngineError},
    handler::ToolHandler,
};
use crate::{
    CallContext, Catalog, Changes, EngineError, EngineReply, EngineRequest, ErrorKind, ToolEngine, ToolName,
    error::Result, request::ResourceUri,
};

/// An engine whose tools are Rust closures. What it offers is fixed when it is built.
///
/// ```
/// use tooldock_engine::{StaticEngine, Tool, ToolOutput};
/// let engine = StaticEngine::builder()
///     .tool(Tool::new("shout".parse()?), async |_cx, arguments: tooldock_engine::RawJson| {
///         let text: std::collections::HashMap<String, String> = arguments.parse().unwrap_or_default();
///         Ok(ToolOutput::text(&text["text"].to_uppercase()))
///     })
///     .build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StaticEngine {
    catalog: Arc<Catalog>,
    handlers: HashMap<ToolName, Arc<dyn ToolHandler>>,
    running: TaskTracker,
    stop: CancellationToken,
}

/// How long calls may take to end once they are told to.
const END: Duration = Duration::from_secs(1);

impl StaticEngine {
    /// Starts an engine without tools.
    pub fn builder() -> StaticEngineBuilder {
        StaticEngineBuilder::default()
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for StaticEngine {
    async fn catalog(&self, _cx: &CallContext) -> Result<Arc<Catalog>> {
        Ok(self.catalog.clone())
    }

    fn changes(&self, _cx: &CallContext, _watch: &[ResourceUri]) -> Changes {
        Changes::never()
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        if self.running.is_closed() {
            return Err(EngineError::new(
                ErrorKind::Unavailable,
                "the namespace is shutting down",
            ));
        }
        let EngineRequest::CallTool(call) = request else {
            return Err(EngineError::new(
                ErrorKind::Unsupported,
                "this namespace offers tools only",
            ));
        };
        let _running = self.running.token();
        let handler = self
            .handlers
            .get(&call.tool)
            .ok_or_else(|| unknown_tool(&self.catalog, call.tool.as_str()))?;
        tokio::select! {
            output = handler.call(cx.clone(), call.arguments) => output.map(EngineReply::Tool),
            () = cx.cancelled().cancelled() => Err(EngineError::new(ErrorKind::Cancelled, "the call was cancelled")),
            () = self.stop.cancelled() => Err(EngineError::new(ErrorKind::Unavailable, "the namespace was shut down during the call")),
        }
    }

    async fn shutdown(&self, grace: Duration) {
        self.running.close();
        if tokio::time::timeout(grace, self.running.wait()).await.is_err() {
            self.stop.cancel();
            // A call that nobody polls cannot end; it ends when its future is dropped.
            tokio::time::timeout(END, self.running.wait()).await.ok();
        }
    }
}

/// The error for a tool that is not in `catalog`, with names that resemble it.
#[must_use]
pub fn unknown_tool(catalog: &Catalog, name: &str) -> EngineError {
    let shown: String = name.chars().take(128).flat_map(char::escape_debug).collect();
    let text = match catalog.similar_tools(name).as_slice() {
        [] => format!("there is no tool `{shown}` here; list the tools to see what there is"),
        near => format!(
            "there is no tool `{shown}` here; did you mean `{}`?",
            near.join("`, `")
        ),
    };
    EngineError::new(ErrorKind::UnknownTool, text)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::{Caller, RawJson, Tool, ToolOutput};

    #[tokio::test(start_paused = true)]
    async fn shutdown_does_not_wait_for_a_call_that_nobody_polls() {
        let never = async |_cx, _arguments| std::future::pending::<Result<ToolOutput>>().await;
        let tool: ToolName = "never".parse().unwrap();
        let engine = StaticEngine::builder()
            .tool(Tool::new(tool.clone()), never)
            .build()
            .unwrap();
        let cx = CallContext::new(Caller::local(), "demo".parse().unwrap());
        let mut call = engine.serve(cx, EngineRequest::call_tool(tool, RawJson::empty_object()));
        assert!((&mut call).now_or_never().is_none());
        let grace = Duration::from_secs(5);
        let shutdown = tokio::time::timeout(Duration::from_secs(60), engine.shutdown(grace));
        assert!(shutdown.await.is_ok(), "it waits for ever");
        let told = call.await.expect_err("the engine is shut down");
        assert_eq!(told.kind(), ErrorKind::Unavailable);
    }
}
