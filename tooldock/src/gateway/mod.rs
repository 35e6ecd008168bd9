//! The gateway: a registry, the layers around its engines, the routes and the layers in front of them.

mod builder;
mod guard;
mod info;
mod internal;
mod metrics;
mod reload;
#[cfg(feature = "oauth")]
mod resource;
mod routes;

use std::{
    convert::Infallible,
    fmt,
    future::Future,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{Router, body::Body};
use http::{Request, Response};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tower::util::BoxCloneSyncService;

pub use self::{
    builder::{BuildError, GatewayBuilder},
    guard::ManagerGuard,
};
use tooldock_engine::error::Result;

use crate::{
    registry::{Registry, ReloadReport, Reloader},
    run::{self, Limits, Listener},
};

/// A gateway, ready to be served or mounted.
///
/// ```
/// use tooldock::{Gateway, StaticEngine, Tool, ToolOutput, http::Bearer};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let engine = StaticEngine::builder()
///     .tool(Tool::new("ping".parse()?), async |_cx, _arguments| Ok(ToolOutput::text("pong")))
///     .build()?;
/// let gateway = Gateway::builder().namespace("demo", engine).bearer(Bearer::anonymous()).build()?;
/// let app: axum::Router = gateway.router(); // serve it, or nest it in an application of your own
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Gateway {
    registry: Arc<Registry>,
    reloader: Option<Reloader>,
    traffic: run::Traffic,
    #[cfg(feature = "mcp")]
    mcp: tooldock_mcp::Server,
    service: BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>,
}

impl Gateway {
    /// Starts a gateway without namespaces.
    pub fn builder() -> GatewayBuilder {
        GatewayBuilder::default()
    }

    /// The namespaces: for mounting and removing engines while the gateway serves.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Asks for reloads; nothing when the gateway has no [source](GatewayBuilder::source).
    #[must_use]
    pub fn reloader(&self) -> Option<&Reloader> {
        self.reloader.as_ref()
    }

    /// The MCP server: to carry its messages over a transport of your own with
    /// [`Server::connect`](tooldock_mcp::Server::connect); [`io::serve`](tooldock_mcp::io::serve) carries them over byte streams.
    #[cfg(feature = "mcp")]
    #[must_use]
    pub fn mcp(&self) -> &tooldock_mcp::Server {
        &self.mcp
    }

    /// Looks at the source and waits until everything there serves. Without a source there is nothing to do.
    ///
    /// # Errors
    /// As [`Reloader::reload`]; a namespace that cannot be started is no error but part of the report.
    ///
    /// # Cancel safety
    /// Dropping the future does not stop the loading.
    pub async fn load(&self) -> Result<ReloadReport> {
        match &self.reloader {
            Some(reloader) => reloader.reload().await,
            None => Ok(ReloadReport::default()),
        }
    }

    /// Everything as one axum router, with all layers in front. Can be nested below a prefix.
    pub fn router(&self) -> Router {
        Router::new().fallback_service(self.service.clone())
    }

    /// Everything as one Tower service.
    #[must_use]
    pub fn into_service(self) -> BoxCloneSyncService<Request<Body>, Response<Body>, Infallible> {
        self.service
    }

    /// Takes no new calls and ends the streams that answer none, so that connections can end. [`shutdown`](Self::shutdown) does
    /// this first. Idempotent.
    pub fn close(&self) {
        if let Some(reloader) = &self.reloader {
            reloader.stop();
        }
        self.registry.close();
        #[cfg(feature = "mcp")]
        self.mcp.close();
    }

    /// Takes no new calls, waits for those that run and shuts every engine down, all within `grace`. Idempotent.
    ///
    /// # Cancel safety
    /// Dropping the future leaves the engines that were not reached to their own drop.
    pub async fn shutdown(&self, grace: Duration) {
        self.close();
        let end = Instant::now() + grace;
        #[cfg(feature = "mcp")]
        self.mcp.shutdown(grace).await;
        self.registry
            .shutdown(end.saturating_duration_since(Instant::now()))
            .await;
    }

    /// Serves on `listener` until `stop` is done, then ends in order: no new calls, running ones may go on, engines are shut down,
    /// all within [`Limits::drain`].
    ///
    /// ```no_run
    /// # async fn run(gateway: tooldock::Gateway) -> std::io::Result<()> {
    /// use tooldock::run::{Limits, Signals};
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    /// let mut signals = Signals::catch()?;
    /// gateway.serve(listener, Limits::default(), async { drop(signals.next().await) }).await;
    /// # Ok(()) }
    /// ```
    ///
    /// # Cancel safety
    /// Dropping the future closes every connection at once; call [`shutdown`](Self::shutdown) to end the engines as well.
    pub async fn serve(&self, listener: impl Into<Listener>, limits: Limits, stop: impl Future<Output = ()>) {
        self.serve_until(listener.into(), limits, CancellationToken::new(), stop)
            .await;
    }

    /// Does the same, and ends as well a while after it is `retired`: when somebody else accepts from the same socket. What is left of
    /// clients by then has sent nothing since.
    pub(crate) async fn serve_until(
        &self,
        listener: Listener,
        limits: Limits,
        retired: CancellationToken,
        stop: impl Future<Output = ()>,
    ) {
        let mut end = None;
        let left_alone = async {
            retired.cancelled().await;
            sleep(LINGER).await;
        };
        let stop = async {
            tokio::select! {
                () = stop => {}
                () = left_alone => {}
            }
            end = Some(Instant::now() + limits.drain);
            self.close();
        };
        let (service, traffic) = (self.service.clone(), self.traffic.clone());
        run::serve_until(listener, service, limits, traffic, retired.clone(), stop).await;
        let left = end.map_or(limits.drain, |end| end.saturating_duration_since(Instant::now()));
        self.shutdown(left.max(LAST)).await;
    }
}

/// How long the clients of a gateway that has a successor may take to send the request whose answer tells them to go there.
const LINGER: Duration = Duration::from_secs(5);

/// What engines are given to end in any case.
const LAST: Duration = Duration::from_secs(1);

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gateway")
            .field("registry", &self.registry)
            .finish_non_exhaustive()
    }
}
