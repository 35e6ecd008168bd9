//! The transport of 2024-11-05, HTTP with SSE: one stream brings everything, and every message is sent by itself.
//!
//! It is another carrier of the same [`Connection`](crate::Connection)s: any revision with sessions may be agreed on, as the clients
//! that still use it do. Closing the stream ends the conversation; nothing is replayed.

mod conversation;
mod conversations;
mod messages;
mod outgoing;
mod sse;

use axum::{
    Router,
    extract::State,
    response::Response,
    routing::{any, get, post},
};
use http::Request;

pub(crate) use self::conversations::Conversations;
use crate::{
    http::{exchange::Visitor, response::Rejected},
    refusal::{Refusal, code},
    server::Server,
};

/// Serves `server` at `/sse` and `/messages` over the transport of 2024-11-05.
///
/// It looks for the same extensions of a request as [`router`](crate::router) does. The address to send messages to is told relative to
/// that of the stream, so both may stand behind any prefix, as long as it is the same.
///
/// ```
/// # use std::sync::Arc;
/// # use tooldock_engine::{Caller, Mount, NamespaceName, StaticEngine};
/// # let engine = Arc::new(StaticEngine::builder().build()?);
/// let namespace: NamespaceName = "demo".parse()?;
/// let server = tooldock_mcp::Server::builder(Arc::new(Mount { namespace: namespace.clone(), engine })).build();
/// let app: axum::Router = tooldock_mcp::legacy::router(server)
///     .layer(axum::Extension(Caller::local()))
///     .layer(axum::Extension(namespace));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn router(server: Server) -> Router {
    Router::new()
        .route("/sse", get(open).merge(any(async || wrong_verb("GET"))))
        .route("/messages", post(take).merge(any(async || wrong_verb("POST"))))
        .with_state(server)
}

async fn open(State(server): State<Server>, request: Request<axum::body::Body>) -> Response {
    let visitor = Visitor::enter(&server, request.into_parts().0);
    let opened = visitor.and_then(sse::open);
    opened.unwrap_or_else(Rejected::into_response)
}

async fn take(State(server): State<Server>, request: Request<axum::body::Body>) -> Response {
    let (parts, body) = request.into_parts();
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let taken = match Visitor::enter(&server, parts) {
        Ok(visitor) => messages::take(visitor, &query, body).await,
        Err(rejected) => Err(rejected),
    };
    taken.unwrap_or_else(Rejected::into_response)
}

fn wrong_verb(verb: &'static str) -> Response {
    let text = format!("this path takes {verb} only");
    Rejected::from(Refusal::new(405, code::INVALID_REQUEST, text))
        .allowing(verb)
        .into_response()
}
