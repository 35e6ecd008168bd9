//! The routes that are no protocol: health, lists, information, management.

use std::sync::Arc;

use axum::{
    Extension, Json, Router,
    body::Body,
    extract::{Request, State},
    http::Response,
    middleware::{Next, from_fn_with_state},
    response::IntoResponse as _,
    routing::{get, post},
};
use serde_json::{Value, json};
use tooldock_engine::{Caller, Door, EngineError, ErrorKind, context::RequestId};

use super::{ManagerGuard, info, internal, metrics::metrics, reload};
use crate::{
    audit::AuditLog,
    config::Effective,
    http::{Located, answer},
    registry::{Registry, Reloader, Snapshot},
    telemetry::CallMetrics,
};

/// What the handlers share.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) registry: Arc<Registry>,
    pub(super) reloader: Option<Reloader>,
    pub(super) guard: ManagerGuard,
    pub(super) settings: Arc<[Effective]>,
    pub(super) audit: Option<AuditLog>,
    pub(super) metrics: Option<CallMetrics>,
    pub(super) traffic: crate::run::Traffic,
    #[cfg(feature = "oauth")]
    pub(super) resource: Option<crate::http::Resource>,
    #[cfg(feature = "mcp")]
    pub(super) mcp: tooldock_mcp::Server,
}

pub(super) fn router(shared: Shared) -> Router {
    let managed = Router::new()
        .route("/reload", post(reload::reload))
        .route("/internal/state", get(internal::state))
        .route("/internal/settings", get(internal::settings))
        .route("/internal/namespaces/{namespace}/tools", get(internal::tools))
        .route(
            "/internal/namespaces/{namespace}/tools/{tool}/test",
            post(internal::test),
        )
        .route("/internal/namespaces/{namespace}/log", get(internal::log))
        .route_layer(from_fn_with_state(shared.clone(), manage));
    #[cfg(feature = "oauth")]
    let routes = match shared.resource {
        Some(_) => super::resource::routes(),
        None => Router::new(),
    };
    #[cfg(not(feature = "oauth"))]
    let routes = Router::new();
    routes
        .route("/health", get(health))
        .route("/ready", get(ready))
        .route("/metrics", get(metrics))
        .route("/namespaces", get(namespaces))
        .route("/mcp/info", get(info::gateway))
        .route("/info", get(info::namespace))
        .merge(managed)
        .fallback(nowhere)
        .method_not_allowed_fallback(wrong_method)
        .with_state(shared)
}

/// The open door: whether it is up, still loading its namespaces or ready, and which version it is.
async fn health(State(shared): State<Shared>) -> Response<Body> {
    let status = if shared.registry.is_loading() {
        "loading"
    } else {
        "ok"
    };
    uncached(&json!({"status": status, "version": env!("CARGO_PKG_VERSION")}))
}

/// The open door for whoever sends calls here: 200 while they are taken, 503 while the first look at the namespaces is not done and while
/// the gateway ends.
async fn ready(State(shared): State<Shared>) -> Response<Body> {
    if shared.registry.is_ready() {
        return uncached(&json!({"status": "ready"}));
    }
    let status = if shared.registry.is_loading() {
        "loading"
    } else {
        "ending"
    };
    let mut answer = uncached(&json!({"status": status}));
    *answer.status_mut() = http::StatusCode::SERVICE_UNAVAILABLE;
    answer
}

/// The namespaces that the caller may enter. What is none is told only to somebody who may enter all.
async fn namespaces(State(shared): State<Shared>, Extension(caller): Extension<Caller>) -> Response<Body> {
    let snapshot = shared.registry.snapshot();
    let mut list = json!({"namespaces": describe(&shared, &caller, &snapshot)});
    if caller.principal.rights().has_all_namespaces() && !snapshot.rejected().is_empty() {
        list["rejected"] = json!(snapshot.rejected());
    }
    uncached(&list)
}

/// Every namespace that the caller may enter and how it is, with the number of its tools and what it is for.
pub(super) fn describe(shared: &Shared, caller: &Caller, snapshot: &Snapshot) -> Vec<Value> {
    let mut own = snapshot.describe();
    own.retain(|namespace| caller.principal.rights().may_enter(namespace.name.as_str()));
    let mut lines = Vec::new();
    for namespace in own {
        let catalog = info::catalog(shared, caller.clone(), &namespace.name);
        let catalog = catalog.unwrap_or_default();
        let mut line = json!(namespace);
        line["tools"] = json!(catalog.tools().len());
        if let Some(text) = &catalog.about().description {
            line["description"] = json!(text);
        }
        lines.push(line);
    }
    lines
}

/// An answer that depends on who asks and when.
pub(super) fn uncached(value: &impl serde::Serialize) -> Response<Body> {
    ([(http::header::CACHE_CONTROL, "no-store")], Json(value)).into_response()
}

async fn manage(State(shared): State<Shared>, request: Request, next: Next) -> Response<Body> {
    if shared.guard.admits(&request) {
        return next.run(request).await;
    }
    let text = "managing needs a bearer token that may manage, the manager token in `X-Manager-Token` and an address in INTERNAL_ALLOWED_CIDRS";
    let error = EngineError::new(ErrorKind::Forbidden, text);
    answer(Door::Rest, &error, request.extensions().get::<RequestId>())
}

pub(super) async fn nowhere(
    located: Option<Extension<Located>>,
    id: Option<Extension<RequestId>>,
) -> Response<Body> {
    let text =
        "there is nothing at this path; see `GET /namespaces`, `/{namespace}/mcp` and `/{namespace}/tools`";
    answer(
        located.map_or(Door::Rest, |located| located.door()),
        &EngineError::new(ErrorKind::Unsupported, text),
        id.as_deref(),
    )
}

async fn wrong_method(id: Option<Extension<RequestId>>) -> Response<Body> {
    let text = "this path does not take this method; the header `Allow` names those it takes";
    let mut refusal = answer(
        Door::Rest,
        &EngineError::new(ErrorKind::InvalidRequest, text),
        id.as_deref(),
    );
    *refusal.status_mut() = http::StatusCode::METHOD_NOT_ALLOWED;
    refusal
}
