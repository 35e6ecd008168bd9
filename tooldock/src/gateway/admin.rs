//! The routes that belong to no namespace: health, the list of namespaces, reload.

use std::sync::Arc;

use axum::{
    Extension, Json, Router,
    body::Body,
    extract::{Request, State},
    http::Response,
    response::IntoResponse as _,
    routing::{get, post},
};
use serde_json::json;
use tooldock_engine::{Door, EngineError, ErrorKind, context::RequestId};

use crate::{
    http::{Cidr, Peer, Tokens, answer},
    registry::{Registry, Reloader},
};

/// Who may ask for a reload, besides having a bearer token: whoever has the manager token and comes from the right address.
#[derive(Debug, Clone)]
pub struct ReloadGuard {
    /// Performs the reload.
    pub reloader: Reloader,
    /// The tokens that `X-Manager-Token` may hold.
    pub manager: Tokens,
    /// Where the manager is (`INTERNAL_ALLOWED_CIDRS`).
    pub from: Cidr,
}

impl ReloadGuard {
    /// Both locks are always tried, and a wrong token looks like a wrong address.
    fn admits(&self, request: &Request) -> bool {
        let mut tokens = request.headers().get_all("x-manager-token").iter();
        let token = match (tokens.next(), tokens.next()) {
            (Some(token), None) => token.as_bytes(),
            _ => b"",
        };
        let known = self.manager.find(token).is_some();
        let inside = self.from.allows(request.extensions().get::<Peer>().copied());
        known & inside
    }
}

#[derive(Debug, Clone)]
struct Admin {
    registry: Arc<Registry>,
    reload: Option<ReloadGuard>,
}

pub(super) fn router(registry: Arc<Registry>, reload: Option<ReloadGuard>) -> Router {
    Router::new()
        .route("/health", get(health))
        .route("/namespaces", get(namespaces))
        .route("/reload", post(reload_now))
        .fallback(nowhere)
        .method_not_allowed_fallback(wrong_method)
        .with_state(Admin { registry, reload })
}

async fn health() -> Response<Body> {
    Json(json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")})).into_response()
}

async fn namespaces(State(admin): State<Admin>) -> Response<Body> {
    let snapshot = admin.registry.snapshot();
    let mut list = json!({"namespaces": snapshot.describe()});
    if !snapshot.rejected().is_empty() {
        list["rejected"] = json!(snapshot.rejected());
    }
    ([(http::header::CACHE_CONTROL, "no-store")], Json(list)).into_response()
}

async fn reload_now(
    State(admin): State<Admin>,
    id: Option<Extension<RequestId>>,
    request: Request,
) -> Response<Body> {
    let refuse = |kind, text: &'static str| answer(Door::Rest, &EngineError::new(kind, text), id.as_deref());
    let Some(guard) = admin.reload else {
        return refuse(ErrorKind::Unsupported, "this gateway has no folder to load again");
    };
    if !guard.admits(&request) {
        return refuse(
            ErrorKind::Forbidden,
            "a reload needs the manager token in `X-Manager-Token` and an address in INTERNAL_ALLOWED_CIDRS",
        );
    }
    match guard.reloader.reload().await {
        Ok(report) => Json(report).into_response(),
        Err(error) => answer(Door::Rest, &error, id.as_deref()),
    }
}

async fn nowhere(id: Option<Extension<RequestId>>) -> Response<Body> {
    let text =
        "there is nothing at this path; see `GET /namespaces`, `/{namespace}/mcp` and `/{namespace}/tools`";
    answer(
        Door::Rest,
        &EngineError::new(ErrorKind::Unsupported, text),
        id.as_deref(),
    )
}

async fn wrong_method(id: Option<Extension<RequestId>>) -> Response<Body> {
    let mut refusal = answer(
        Door::Rest,
        &EngineError::new(
            ErrorKind::InvalidRequest,
            "this path does not take this method; the header `Allow` names those it takes",
        ),
        id.as_deref(),
    );
    *refusal.status_mut() = http::StatusCode::METHOD_NOT_ALLOWED;
    refusal
}
