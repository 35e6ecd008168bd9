//! Putting a gateway together.

use std::{fmt, sync::Arc, time::Duration};

use axum::Router;
use tooldock_engine::{EngineLayer, LayerStack, Mounts, NamespaceName, ToolEngine, name::NameError};

use super::{
    Gateway, ManagerGuard,
    routes::{self, Shared},
};
use crate::{
    audit::AuditLog,
    config::Effective,
    http::{Bearer, HttpSettings, stack},
    layers,
    registry::{NamespaceSource, Origin, Registry, Reloader, Started},
    run::Traffic,
    telemetry::CallMetrics,
};

/// Why a gateway cannot be built: every mistake, one line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError(Vec<String>);

impl BuildError {
    /// The mistakes.
    #[must_use]
    pub fn mistakes(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for BuildError {}

/// Puts a [`Gateway`] together. Mistakes are kept and reported by [`build`](Self::build), all at once.
#[derive(Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct GatewayBuilder {
    mounted: Vec<(String, Arc<dyn ToolEngine>)>,
    outer: Option<LayerStack>,
    layers: Option<LayerStack>,
    http: Option<HttpSettings>,
    registry: Option<Arc<Registry>>,
    source: Option<Arc<dyn NamespaceSource>>,
    guard: ManagerGuard,
    settings: Vec<Effective>,
    audit: Option<AuditLog>,
    metrics: Option<CallMetrics>,
    drain: Option<Duration>,
    #[cfg(feature = "mcp")]
    mcp: tooldock_mcp::Settings,
}

impl GatewayBuilder {
    /// Mounts an engine; it survives every reload.
    pub fn namespace(mut self, name: &str, engine: impl ToolEngine) -> Self {
        self.mounted.push((name.to_owned(), Arc::new(engine)));
        self
    }

    /// Puts a layer around every engine, inside those added before and outside those of [`layers`](Self::layers).
    ///
    /// ```
    /// use tooldock::{Gateway, engine::bridge::TowerLayer, http::Bearer, layers::AuthorizeLayer};
    /// use tower::limit::GlobalConcurrencyLimitLayer;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tooldock::BuildError> {
    /// let gateway = Gateway::builder()
    ///     .engine_layer(AuthorizeLayer::new(|caller, _namespace, _tool| caller.principal.name() != "guest"))
    ///     .engine_layer(TowerLayer::new(GlobalConcurrencyLimitLayer::new(500))) // of all namespaces together
    ///     .bearer(Bearer::anonymous())
    ///     .build()?;
    /// # Ok(()) }
    /// ```
    pub fn engine_layer(mut self, layer: impl EngineLayer) -> Self {
        self.outer = Some(self.outer.unwrap_or_default().with(layer));
        self
    }

    /// The layers around every engine, instead of [`layers::defaults`] as they are.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tooldock::{Gateway, http::Bearer, layers::{LayerSettings, defaults}};
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tooldock::BuildError> {
    /// let mut settings = LayerSettings::default();
    /// settings.timeout = Duration::from_secs(300);
    /// let gateway = Gateway::builder().layers(defaults(&settings)).bearer(Bearer::anonymous()).build()?;
    /// # Ok(()) }
    /// ```
    pub fn layers(mut self, layers: LayerStack) -> Self {
        self.layers = Some(layers);
        self
    }

    /// Who may come in.
    pub fn bearer(mut self, bearer: Bearer) -> Self {
        match &mut self.http {
            Some(http) => http.bearer = bearer,
            None => self.http = Some(HttpSettings::new(bearer)),
        }
        self
    }

    /// Everything about the layers in front of the protocols, who may come in included: it replaces what [`bearer`](Self::bearer) said.
    pub fn http(mut self, settings: HttpSettings) -> Self {
        self.http = Some(settings);
        self
    }

    /// Serves the namespaces of a registry of your own. It brings its own layers.
    pub fn registry(mut self, registry: Arc<Registry>) -> Self {
        self.registry = Some(registry);
        self
    }

    /// Keeps the namespaces equal to what a source has: a folder of Python files, for example. Nothing is looked at before
    /// [`Gateway::load`].
    pub fn source(mut self, source: impl NamespaceSource) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Offers `POST /reload`, and what the manager may look at, to whoever `guard` lets in.
    pub fn managed(mut self, guard: ManagerGuard) -> Self {
        self.guard = guard;
        self
    }

    /// The settings that the manager may look at.
    pub fn settings(mut self, settings: Vec<Effective>) -> Self {
        self.settings = settings;
        self
    }

    /// Shows the manager how an audit log does. The log itself is kept by an [`AuditLayer`](layers::AuditLayer) around the engines.
    pub fn audit(mut self, log: AuditLog) -> Self {
        self.audit = Some(log);
        self
    }

    /// Shows what was counted of calls at `GET /metrics`. They are counted by a [`MetricsLayer`](layers::MetricsLayer) around the engines.
    pub fn metrics(mut self, metrics: CallMetrics) -> Self {
        self.metrics = Some(metrics);
        self
    }

    /// How long an engine that leaves may take to finish its calls (30 s).
    pub fn drain(mut self, drain: Duration) -> Self {
        self.drain = Some(drain);
        self
    }

    /// The settings of the MCP server; how large a message may be is taken from [`http`](Self::http).
    #[cfg(feature = "mcp")]
    pub fn mcp(mut self, settings: tooldock_mcp::Settings) -> Self {
        self.mcp = settings;
        self
    }

    /// The gateway. Does no I/O. Must be called within a Tokio runtime.
    ///
    /// # Errors
    /// Every mistake that was made: a bad or repeated namespace, nobody set at the door.
    pub fn build(self) -> Result<Gateway, BuildError> {
        let mut mistakes = Vec::new();
        let layered = self.outer.is_some() || self.layers.is_some();
        if self.registry.is_some() && (layered || self.drain.is_some()) {
            mistakes.push("`engine_layer`, `layers` and `drain` have no effect on a registry of its own; give them to `Registry::new`".to_owned());
        }
        let registry = self.registry.unwrap_or_else(|| {
            let layers = self
                .layers
                .unwrap_or_else(|| layers::defaults(&layers::LayerSettings::default()));
            Arc::new(Registry::new(
                self.outer.unwrap_or_default().with(layers),
                self.drain.unwrap_or(Duration::from_secs(30)),
            ))
        });
        for (name, engine) in self.mounted {
            match name.parse::<NamespaceName>() {
                Err(error) => mistakes.push(NameError::to_string(&error)),
                Ok(name) if registry.snapshot().get(&name).is_some() => {
                    mistakes.push(format!("the namespace `{name}` is mounted twice"));
                }
                Ok(name) => registry.put(&name, Started::plain(engine), Origin::Code),
            }
        }
        let Some(http) = self.http else {
            mistakes.push("nobody guards the door: call `bearer(Bearer::new(tokens))`, or `bearer(Bearer::anonymous())` on loopback".to_owned());
            return Err(BuildError(mistakes));
        };
        if !http.bearer.asks_for_token() && (http.origins.allows_all() || http.cors.allows_all()) {
            mistakes.push("every web page could use this gateway: `*` in ALLOWED_ORIGINS or CORS_ORIGINS needs tokens; list the pages, or ask for tokens".to_owned());
        }
        if !mistakes.is_empty() {
            return Err(BuildError(mistakes));
        }
        let mounts: Arc<dyn Mounts> = registry.clone();
        let reloader = self
            .source
            .map(|source| Reloader::start(registry.clone(), source));
        #[cfg(feature = "mcp")]
        let server = {
            let mut settings = self.mcp;
            settings.message_bytes = http.max_body_bytes;
            settings.message_limits = http.json;
            tooldock_mcp::Server::builder(mounts.clone())
                .settings(settings)
                .build()
        };
        let traffic = Traffic::default();
        let routes: Router = routes::router(Shared {
            registry: registry.clone(),
            reloader: reloader.clone(),
            guard: self.guard,
            settings: self.settings.into(),
            audit: self.audit,
            metrics: self.metrics,
            traffic: traffic.clone(),
            #[cfg(feature = "oauth")]
            resource: http.bearer.resource().cloned(),
            #[cfg(feature = "mcp")]
            mcp: server.clone(),
        });
        #[cfg(feature = "openapi")]
        let routes = {
            let mut settings = tooldock_openapi::RestSettings::default();
            settings.body_bytes = http.max_body_bytes;
            settings.json = http.json;
            routes.merge(tooldock_openapi::router(mounts.clone(), settings))
        };
        #[cfg(feature = "mcp")]
        let (mcp, routes) = {
            let routes = routes.route("/mcp", tooldock_mcp::http::endpoint(server.clone()));
            let routes = match server.settings().legacy {
                true => routes.merge(tooldock_mcp::legacy::router(server.clone())),
                false => routes,
            };
            (server, routes)
        };
        #[cfg(not(any(feature = "openapi", feature = "mcp")))]
        drop(mounts);
        Ok(Gateway {
            registry,
            reloader,
            traffic,
            #[cfg(feature = "mcp")]
            mcp,
            service: stack(&http, routes),
        })
    }
}

impl fmt::Debug for GatewayBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GatewayBuilder")
            .field("http", &self.http)
            .finish_non_exhaustive()
    }
}
