//! The routes.

use std::sync::Arc;

use axum::{
    Extension, Router,
    body::Body,
    response::Response,
    routing::{any, get, post},
};
use http::StatusCode;
use tooldock_engine::{EngineError, ErrorKind, Mounts, context::RequestId};

use crate::{RestSettings, call, docs, document, error, list, schema};

/// What every handler needs.
#[derive(Debug, Clone)]
pub(crate) struct Rest {
    pub(crate) mounts: Arc<dyn Mounts>,
    pub(crate) settings: RestSettings,
}

/// The REST routes over `mounts`: an ordinary [`Router`], to be merged, nested or served as it is.
///
/// Layers in front must put a [`Caller`](tooldock_engine::Caller) and a [`NamespaceName`](tooldock_engine::NamespaceName)
/// into the extensions of each request, and may put a [`RequestId`] there. A request without caller is refused with 401, one
/// without namespace with 400; the page at `/docs` alone needs neither, as it holds no data. The OpenAPI document names the path
/// of a tool `/{tool}`, which a layer in front maps to `/tools/{tool}`.
pub fn router(mounts: Arc<dyn Mounts>, settings: RestSettings) -> Router {
    Router::new()
        .route("/tools", get(list::list))
        .route("/tools/{tool}", post(call::call))
        .route("/tools/{tool}/schema", get(schema::schema))
        .route("/openapi.json", get(document::document))
        .route("/docs", get(docs::docs))
        // No tool has such a name, and these paths are told so as any other is.
        .route("/tools/", any(call::call))
        .route("/tools/{tool}/", any(call::call))
        .route("/tools/{tool}/{*more}", any(call::call))
        .method_not_allowed_fallback(other_method)
        .with_state(Rest { mounts, settings })
}

/// The path is right and the method is not; `Allow` is added by the router.
async fn other_method(request_id: Option<Extension<RequestId>>) -> Response<Body> {
    let error = EngineError::new(
        ErrorKind::InvalidRequest,
        "this path has another method: list with `GET /tools`, call with `POST /tools/{tool}`, read a schema with \
         `GET /tools/{tool}/schema`, all of them with `GET /openapi.json`",
    );
    let id = request_id.as_deref();
    error::refusal_as(StatusCode::METHOD_NOT_ALLOWED, &error, id)
}
