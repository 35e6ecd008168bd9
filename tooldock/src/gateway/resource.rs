//! `GET /.well-known/oauth-protected-resource/…`: who makes tokens for what is there (RFC 9728). Only when it is a resource of OAuth.

use axum::{
    Extension, Json, Router,
    body::Body,
    extract::{Path, State},
    http::Response,
    response::IntoResponse as _,
    routing::get,
};
use http::header::CACHE_CONTROL;
use tooldock_engine::context::RequestId;

use super::routes::{Shared, nowhere};
use crate::http::Located;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/.well-known/oauth-protected-resource", get(whole))
        .route("/.well-known/oauth-protected-resource/{*path}", get(part))
}

async fn whole(
    shared: State<Shared>,
    located: Option<Extension<Located>>,
    id: Option<Extension<RequestId>>,
) -> Response<Body> {
    tell(&shared, "", located, id).await
}

async fn part(
    shared: State<Shared>,
    Path(path): Path<String>,
    located: Option<Extension<Located>>,
    id: Option<Extension<RequestId>>,
) -> Response<Body> {
    tell(&shared, &format!("/{path}"), located, id).await
}

/// The document about the endpoint at `path`; a path at which there can be none is like any other that leads nowhere.
async fn tell(
    shared: &Shared,
    path: &str,
    located: Option<Extension<Located>>,
    id: Option<Extension<RequestId>>,
) -> Response<Body> {
    let resource = shared.resource.as_ref();
    match resource.and_then(|resource| resource.metadata(path)) {
        // It is the same for everybody.
        Some(document) => ([(CACHE_CONTROL, "public, max-age=300")], Json(document)).into_response(),
        None => nowhere(located, id).await,
    }
}
