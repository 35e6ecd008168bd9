//! What runs when something of a static engine is asked for.

use std::{fmt, future::Future};

use async_trait::async_trait;

use crate::{CallContext, catalog::Variables, error::Result, request::ResourceUri};

/// What turns an `In` into an `Out` when something of a [`StaticEngine`](super::StaticEngine) is asked for. Async closures are handlers.
///
/// | | `In` | `Out` |
/// |---|---|---|
/// | a tool | [`RawJson`](crate::RawJson): its arguments, an object | [`ToolOutput`](crate::ToolOutput) |
/// | a resource, a template | [`Address`] | [`ResourceOutput`](crate::output::ResourceOutput) |
/// | a prompt | [`GetPrompt`](crate::request::GetPrompt) | [`PromptOutput`](crate::output::PromptOutput) |
/// | a completion | [`Complete`](crate::request::Complete) | [`Completion`](crate::output::Completion) |
#[async_trait]
pub trait Handler<In, Out>: Send + Sync + 'static {
    /// Does the work.
    ///
    /// # Errors
    /// [`ToolFailed`](crate::ErrorKind::ToolFailed) with a text for the model, or any other kind.
    ///
    /// # Cancel safety
    /// The engine drops the future when the call is cancelled.
    async fn call(&self, cx: CallContext, input: In) -> Result<Out>;
}

#[async_trait]
impl<F, R, In, Out> Handler<In, Out> for F
where
    F: Fn(CallContext, In) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Out>> + Send + 'static,
    In: Send + 'static,
{
    async fn call(&self, cx: CallContext, input: In) -> Result<Out> {
        self(cx, input).await
    }
}

impl<In, Out> fmt::Debug for dyn Handler<In, Out> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handler")
    }
}

/// The address of a resource that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// As it was asked for.
    pub uri: ResourceUri,
    /// The values of the template's variables; none of a resource that is listed itself.
    pub values: Variables,
}
