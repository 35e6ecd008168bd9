//! The one trait everything is built on.

use std::{fmt, pin::Pin, sync::Arc, time::Duration};

use async_trait::async_trait;

use crate::{CallContext, Catalog, Changes, EngineReply, EngineRequest, error::Result, request::ResourceUri};

/// Something that lists tools, resources and prompts, and answers requests for them.
///
/// This is the contract between engines and the gateway; whoever calls engines uses [`EngineExt`](crate::EngineExt). A Python
/// worker, a type of your own, and every layer around either are engines.
///
/// # Contract
/// `testing::engine_contract` checks what can be checked:
///
/// - [`catalog`](Self::catalog) hands out a shared snapshot at once. Two calls without a change between them give
///   catalogs of equal digest.
/// - What is listed can be called; what is not listed is answered [`UnknownTool`](crate::ErrorKind::UnknownTool), whether it exists or not.
/// - [`serve`](Self::serve) may run many times at once and in any order.
/// - After [`shutdown`](Self::shutdown), `serve` answers [`Unavailable`](crate::ErrorKind::Unavailable).
/// - There are no default methods: a wrapper that forgets to forward one does not compile.
#[async_trait]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no engine",
    note = "implement `ToolEngine`, or build one from closures with `StaticEngine::builder()`"
)]
pub trait ToolEngine: fmt::Debug + Send + Sync + 'static {
    /// What the caller in `cx` may see right now.
    ///
    /// It is asked several times a call and answers at once: an engine that has its list from elsewhere keeps the newest one it got.
    ///
    /// # Errors
    /// [`Unavailable`](crate::ErrorKind::Unavailable) when nothing was ever loaded.
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>>;

    /// What may have changed since: lists, and the resources named in `watch`. Dropping it ends the watch.
    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes;

    /// Answers one request.
    ///
    /// # Errors
    /// Any [`ErrorKind`](crate::ErrorKind); a tool's own failure may also be an `Ok` with `failed` set.
    ///
    /// # Cancel safety
    /// Dropping the future abandons the call: the engine stops the work as soon as it can and tells nobody.
    /// [`CallContext::cancelled`] asks for the same without dropping.
    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply>;

    /// Takes no new work, waits up to `grace` for what runs, releases processes. Idempotent.
    ///
    /// # Cancel safety
    /// Dropping the future leaves the engine closed for new work; what ran is ended when the engine is dropped.
    async fn shutdown(&self, grace: Duration);
}

/// The future of a method, as `async_trait` makes it.
type Boxed<'f, T> = Pin<Box<dyn Future<Output = T> + Send + 'f>>;

// Written out, so that a pointer hands over the future of its engine instead of putting it into one more box.
macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods)]
        impl<E: ToolEngine + ?Sized> ToolEngine for $pointer<E> {
            fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
                (**self).catalog(cx)
            }
            fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
                (**self).changes(cx, watch)
            }
            fn serve<'s, 'f>(
                &'s self,
                cx: CallContext,
                request: EngineRequest,
            ) -> Boxed<'f, Result<EngineReply>>
            where
                's: 'f,
                Self: 'f,
            {
                (**self).serve(cx, request)
            }
            fn shutdown<'s, 'f>(&'s self, grace: Duration) -> Boxed<'f, ()>
            where
                's: 'f,
                Self: 'f,
            {
                (**self).shutdown(grace)
            }
        }
    };
}

forward!(Arc);
forward!(Box);
