//! Streamable HTTP: an adapter between requests and connections.

mod accept;
pub(crate) mod body;
mod delete;
pub(crate) mod exchange;
mod get;
pub(crate) mod mirrored;
mod post;
pub(crate) mod response;
mod resumable;
pub(crate) mod sse;

use axum::{
    Router,
    extract::State,
    response::Response,
    routing::{MethodRouter, any},
};
use http::{Method, Request};

pub use self::response::refusal;
use self::{exchange::Visitor, response::Rejected};
use crate::{
    refusal::{Refusal, code},
    server::Server,
};

/// Serves `server` at `/` over Streamable HTTP.
///
/// Among the extensions of a request it looks for a [`Caller`](tooldock_engine::Caller), a
/// [`NamespaceName`](tooldock_engine::NamespaceName) and, optionally, a [`RequestId`](tooldock_engine::context::RequestId): layers in
/// front put them there. A request without a caller is answered 401, one without a namespace 400.
///
/// ```
/// # use std::sync::Arc;
/// # use tooldock_engine::{Caller, Mount, NamespaceName, StaticEngine};
/// # let engine = Arc::new(StaticEngine::builder().build()?);
/// let namespace: NamespaceName = "demo".parse()?;
/// let server = tooldock_mcp::Server::builder(Arc::new(Mount { namespace: namespace.clone(), engine })).build();
/// let app: axum::Router = tooldock_mcp::router(server)
///     .layer(axum::Extension(Caller::local()))
///     .layer(axum::Extension(namespace));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn router(server: Server) -> Router {
    Router::new().route("/", endpoint(server))
}

/// The one route of [`router`], for a router that gives it a path of its own.
pub fn endpoint(server: Server) -> MethodRouter {
    any(serve).with_state(server)
}

async fn serve(State(server): State<Server>, request: Request<axum::body::Body>) -> Response {
    let (parts, body) = request.into_parts();
    let method = parts.method.clone();
    let visitor = Visitor::enter(&server, parts);
    let served = match (visitor, method) {
        (Err(rejected), _) => Err(rejected),
        (Ok(visitor), Method::POST) => post::serve(visitor, body).await,
        (Ok(visitor), Method::GET) => get::serve(visitor).await,
        (Ok(visitor), Method::DELETE) => delete::serve(&visitor).await,
        (Ok(_), _) => {
            let text = "messages are sent with POST; GET watches a session, DELETE ends it";
            Err(Rejected::from(Refusal::new(405, code::INVALID_REQUEST, text)).allowing(response::ALLOWED))
        }
    };
    served.unwrap_or_else(Rejected::into_response)
}
