//! `GET /tools/{tool}/schema`: the JSON Schema of a tool's arguments.

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use http::header::CONTENT_TYPE;

use crate::{
    error::JSON,
    exchange::{self, Exchange},
    router::Rest,
};

/// Answers with the schema exactly as the tool published it.
pub(crate) async fn schema(State(rest): State<Rest>, request: Request) -> Response<Body> {
    let (parts, _) = request.into_parts();
    exchange::answer(parts, async |parts| {
        let exchange = Exchange::open(&rest, &parts).await?;
        let path = parts.uri.path();
        let tool = exchange::tool(&exchange.catalog, path.strip_suffix("/schema").unwrap_or(path))?;
        let schema = tool.input_schema.clone().into_bytes();
        Ok(([(CONTENT_TYPE, JSON)], schema).into_response())
    })
    .await
}
