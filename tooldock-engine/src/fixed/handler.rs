//! A tool of a static engine.

use std::{fmt, future::Future};

use async_trait::async_trait;

use crate::{CallContext, RawJson, ToolOutput, error::Result};

/// What runs when a tool of a [`StaticEngine`](super::StaticEngine) is called. Async closures are handlers.
#[async_trait]
pub trait ToolHandler: Send + Sync + 'static {
    /// Runs the tool with `arguments`, an object.
    ///
    /// # Errors
    /// [`ToolFailed`](crate::ErrorKind::ToolFailed) with a text for the model, or any other kind.
    ///
    /// # Cancel safety
    /// The engine drops the future when the call is cancelled.
    async fn call(&self, cx: CallContext, arguments: RawJson) -> Result<ToolOutput>;
}

#[async_trait]
impl<F, R> ToolHandler for F
where
    F: Fn(CallContext, RawJson) -> R + Send + Sync + 'static,
    R: Future<Output = Result<ToolOutput>> + Send + 'static,
{
    async fn call(&self, cx: CallContext, arguments: RawJson) -> Result<ToolOutput> {
        self(cx, arguments).await
    }
}

impl fmt::Debug for dyn ToolHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolHandler")
    }
}
