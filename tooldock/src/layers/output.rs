//! Results are judged against the tool's published output schema before the caller sees them.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use serde_json::Value;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, RawJson, ToolEngine, ToolName, error::Result, request::ResourceUri,
};

use super::judge::{Judge, Side, judged, refusal};

/// Puts [`OutputCheck`] around engines.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputCheckLayer;

impl OutputCheckLayer {
    /// The layer.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl EngineLayer for OutputCheckLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        Arc::new(OutputCheck { inner })
    }
}

/// An engine whose tools keep what their output schemas promise.
///
/// A success of a tool with an output schema carries structured content that fits it; whatever else the tool returns becomes
/// [`InvalidOutput`](ErrorKind::InvalidOutput), told like refused arguments. What fits is passed on as the bytes it came in. A
/// failure that a tool tells of is passed on untouched, and so is everything from tools without an output schema. Calls of a tool
/// whose output schema cannot be used answer [`Dependency`](ErrorKind::Dependency) without running it; see
/// [`check_output_schema`](super::check_output_schema).
#[derive(Debug)]
pub struct OutputCheck {
    inner: Arc<dyn ToolEngine>,
}

impl OutputCheck {
    /// The judge of what the requested tool returns, if it promises anything.
    fn judge(&self, cx: &CallContext, tool: &ToolName) -> Result<Option<Arc<Judge>>> {
        let catalog = self.inner.catalog(cx)?;
        Judge::of(Side::Result, &catalog, tool)
    }
}

fn check(judge: &Judge, tool: &ToolName, structured: &RawJson) -> Result<()> {
    let value: Value = structured
        .parse()
        .map_err(|error| refusal::unreadable(Side::Result, tool, error))?;
    if judge.fits(&value) {
        return Ok(());
    }
    // One more than is told, so that the text says there are more.
    let problems = judge.problems(&value, refusal::MOST_TOLD + 1);
    Err(refusal::refuse(Side::Result, tool, &problems))
}

fn missing(tool: &ToolName) -> EngineError {
    let text = format!(
        "the tool `{tool}` has an output schema and returned no structured result; let it return a value that fits the \
         schema, or take the schema away"
    );
    EngineError::new(ErrorKind::InvalidOutput, text)
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for OutputCheck {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let Some(tool) = request.tool().cloned() else {
            return self.inner.serve(cx, request).await;
        };
        // Before the call: what the caller saw when he called counts.
        let judge = self.judge(&cx, &tool)?;
        let reply = self.inner.serve(cx, request).await?;
        if let (Some(judge), EngineReply::Tool(output)) = (judge, &reply)
            && !output.failed
        {
            let structured = output.structured.clone().ok_or_else(|| missing(&tool))?;
            judged(structured.len(), move || check(&judge, &tool, &structured)).await??;
        }
        Ok(reply)
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
