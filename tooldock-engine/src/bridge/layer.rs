//! A Tower layer around an engine.

use std::{error::Error, fmt, future::poll_fn, sync::Arc, time::Duration};

use async_trait::async_trait;
use tower_layer::Layer;
use tower_service::Service;

use super::{EngineCall, EngineService, engine_error};
use crate::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, ToolEngine, error::Result, request::ResourceUri,
};

/// Puts a Tower layer around engines: `tower::timeout`, `tower::limit`, `tower::load_shed`, one of your own.
///
/// Requests pass the layer; catalogs, changes and shutdown go straight to the engine. Errors become those of engines as
/// [`engine_error`] says.
///
/// What a Tower layer keeps per service begins anew with each engine, that is with each reload. One that must not, such as a limit,
/// is built to share its state: `GlobalConcurrencyLimitLayer`. A call waits for readiness until it is cancelled; a time limit
/// belongs outside.
///
/// ```
/// use std::time::Duration;
/// use tooldock_engine::{LayerStack, bridge::TowerLayer};
/// use tower::{ServiceBuilder, limit::GlobalConcurrencyLimitLayer};
///
/// let shedding = ServiceBuilder::new().load_shed().layer(GlobalConcurrencyLimitLayer::new(8)).into_inner();
/// let stack = LayerStack::new().with(TowerLayer::new(shedding));
/// ```
#[derive(Clone)]
pub struct TowerLayer<L>(L);

impl<L> TowerLayer<L> {
    /// Puts `layer` around engines.
    #[must_use]
    pub const fn new(layer: L) -> Self {
        Self(layer)
    }
}

impl<L> fmt::Debug for TowerLayer<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TowerLayer")
            .field(&std::any::type_name::<L>())
            .finish()
    }
}

impl<L> EngineLayer for TowerLayer<L>
where
    L: Layer<EngineService> + Send + Sync + 'static,
    TowerEngine<L::Service>: ToolEngine,
{
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        let service = self.0.layer(EngineService::new(inner.clone()));
        Arc::new(TowerEngine { inner, service })
    }
}

/// An engine whose requests pass a Tower service.
pub struct TowerEngine<S> {
    inner: Arc<dyn ToolEngine>,
    service: S,
}

impl<S> fmt::Debug for TowerEngine<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TowerEngine")
            .field("service", &std::any::type_name::<S>())
            .field("inner", &self.inner)
            .finish()
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<S> ToolEngine for TowerEngine<S>
where
    S: Service<EngineCall, Response = EngineReply> + Clone + Send + Sync + 'static,
    S::Error: Into<Box<dyn Error + Send + Sync>> + Send,
    S::Future: Send,
{
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let mut service = self.service.clone();
        tokio::select! {
            ready = poll_fn(|task| service.poll_ready(task)) => ready.map_err(|error| engine_error(error.into()))?,
            () = cx.cancelled().cancelled() => {
                let text = "the call was cancelled while it waited for a layer around its engine";
                return Err(EngineError::new(ErrorKind::Cancelled, text));
            }
        }
        let reply = service.call(EngineCall { cx, request }).await;
        reply.map_err(|error| engine_error(error.into()))
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
