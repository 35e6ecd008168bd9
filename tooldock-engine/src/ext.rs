//! Comfort for whoever calls engines.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    CallContext, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson, Tool, ToolEngine, ToolOutput,
    error::Result,
    output::{Completion, PromptOutput, ResourceOutput},
    request::{Complete, GetPrompt, ReadResource},
};

/// Typed calls on any [`ToolEngine`]; implemented for all of them and never by hand.
///
/// ```
/// # use tooldock_engine::*;
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let engine = StaticEngine::builder().tool(Tool::new("hi".parse()?), async |_cx, _arguments| Ok(ToolOutput::text("hello"))).build()?;
/// let cx = CallContext::new(Caller::local(), "demo".parse()?);
/// assert_eq!(engine.list_tools(&cx).await?.len(), 1);
/// assert_eq!(engine.call_tool(cx, "hi", RawJson::empty_object()).await?, ToolOutput::text("hello"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[async_trait]
pub trait EngineExt: ToolEngine {
    /// The tools the caller may see.
    ///
    /// # Errors
    /// As [`ToolEngine::catalog`].
    async fn list_tools(&self, cx: &CallContext) -> Result<Vec<Arc<Tool>>> {
        Ok(self.catalog(cx)?.tools().to_vec())
    }

    /// Runs a tool.
    ///
    /// # Errors
    /// As [`ToolEngine::serve`]; [`InputRequired`](ErrorKind::InputRequired) when the engine asks back.
    ///
    /// # Cancel safety
    /// Dropping the future abandons the call.
    async fn call_tool(&self, cx: CallContext, tool: &str, arguments: RawJson) -> Result<ToolOutput> {
        match self
            .serve(cx, EngineRequest::call_tool(tool.parse()?, arguments))
            .await?
        {
            EngineReply::Tool(output) => Ok(output),
            other => Err(unexpected(&other)),
        }
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// As [`call_tool`](Self::call_tool).
    async fn read_resource(&self, cx: CallContext, uri: &str) -> Result<ResourceOutput> {
        match self
            .serve(
                cx,
                EngineRequest::ReadResource(ReadResource {
                    uri: uri.into(),
                    answers: None,
                }),
            )
            .await?
        {
            EngineReply::Resource(output) => Ok(output),
            other => Err(unexpected(&other)),
        }
    }

    /// Fills in a prompt.
    ///
    /// # Errors
    /// As [`call_tool`](Self::call_tool).
    async fn get_prompt(&self, cx: CallContext, request: GetPrompt) -> Result<PromptOutput> {
        match self.serve(cx, EngineRequest::GetPrompt(request)).await? {
            EngineReply::Prompt(output) => Ok(output),
            other => Err(unexpected(&other)),
        }
    }

    /// Completes what a user types.
    ///
    /// # Errors
    /// As [`ToolEngine::serve`].
    async fn complete(&self, cx: CallContext, request: Complete) -> Result<Completion> {
        match self.serve(cx, EngineRequest::Complete(request)).await? {
            EngineReply::Completion(output) => Ok(output),
            other => Err(unexpected(&other)),
        }
    }
}

impl<E: ToolEngine + ?Sized> EngineExt for E {}

fn unexpected(reply: &EngineReply) -> EngineError {
    match reply {
        EngineReply::InputRequired(_) => EngineError::new(
            ErrorKind::InputRequired,
            "the tool needs answers from the client, which this way of calling cannot ask for",
        ),
        _ => EngineError::new(
            ErrorKind::Internal,
            "the engine answered something else than it was asked",
        ),
    }
}
