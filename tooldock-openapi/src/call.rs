//! `POST /tools/{tool}`: runs a tool.

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use http::header::CONTENT_TYPE;
use tokio_util::sync::CancellationToken;
use tooldock_engine::EngineExt as _;

use crate::{
    answer, body,
    error::JSON,
    exchange::{self, Exchange},
    router::Rest,
};

/// Runs the tool that the path names with the body as its arguments.
///
/// # Cancel safety
/// The call is bound to the exchange: when the server drops this future, because the client has gone, the call is cancelled.
pub(crate) async fn call(State(rest): State<Rest>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    exchange::answer(parts, async |parts| {
        let Exchange { mount, cx, catalog } = &Exchange::open(&rest, &parts).await?;
        let tool = exchange::tool(catalog, parts.uri.path())?;
        let arguments = body::read(&parts.headers, body, &rest.settings).await?;
        // Its connection can use the buffer again that the head was read into.
        drop(parts);

        let cancel = CancellationToken::new();
        let _until_answered = cancel.clone().drop_guard();
        let cx = cx.clone().with_cancel(cancel);
        let output = mount.engine.call_tool(cx, tool.name.as_str(), arguments).await?;

        let body = answer::answer(&output, answer::is_wrapped(catalog, tool))?;
        Ok(([(CONTENT_TYPE, JSON)], body.into_bytes()).into_response())
    })
    .await
}
