//! A gateway over Rust closures, and requests to it.

use axum::{
    Router,
    body::{Body, Bytes, HttpBody as _},
};
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tooldock::{
    Gateway, RawJson, StaticEngine, Tool, ToolOutput,
    http::{Bearer, HttpSettings, Token, Tokens},
};
use tooldock_judge::Judge;
use tower::ServiceExt as _;

pub(crate) const TOKEN: &str = "a-token-for-these-tests";

pub(crate) fn bearer() -> Bearer {
    Bearer::new(Tokens::new([Token::new("tester", TOKEN).unwrap()]))
}

/// `add(a, b)`, with a schema.
pub(crate) fn add_tool() -> Tool {
    let mut tool = Tool::new("add".parse().unwrap());
    tool.input_schema = RawJson::from(serde_json::json!({
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
        "additionalProperties": false,
    }));
    tool
}

pub(crate) fn engine() -> StaticEngine {
    let add = async |_cx, arguments: RawJson| {
        let arguments: Value = arguments.parse().unwrap_or_default();
        let sum = arguments["a"].as_f64().unwrap_or(0.0) + arguments["b"].as_f64().unwrap_or(0.0);
        Ok(ToolOutput::structured(&RawJson::from(
            serde_json::json!({"sum": sum}),
        )))
    };
    let panics = async |_cx, _arguments| panic!("on purpose");
    StaticEngine::builder()
        .tool(add_tool(), add)
        .tool(Tool::new("panics".parse().unwrap()), panics)
        .build()
        .unwrap()
}

pub(crate) fn gateway() -> Gateway {
    Gateway::builder()
        .namespace("demo", engine())
        .http(HttpSettings::new(bearer()))
        .build()
        .unwrap()
}

/// A request with the token and a host.
pub(crate) fn request(method: &str, path: &str) -> http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", "localhost:8000")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
}

/// Status, headers and the body as JSON (null when it is none). A message of MCP is judged by the schema of its revision.
pub(crate) async fn send(app: &Router, request: Request<Body>) -> (StatusCode, http::HeaderMap, Value) {
    let (head, body) = request.into_parts();
    // A body of unknown length may never end; it is no message that is answered.
    let (asked, body) = match body.size_hint().exact() {
        Some(_) => {
            let asked = body.collect().await.unwrap().to_bytes();
            (asked.clone(), Body::from(asked))
        }
        None => (Bytes::new(), body),
    };
    let revision = head.headers.get("mcp-protocol-version");
    let revision = revision.and_then(|name| name.to_str().ok()).map(str::to_owned);
    let mut judge = Judge::of(revision, std::str::from_utf8(&asked).unwrap_or_default());
    let request = Request::from_parts(head, body);
    let answer = app.clone().oneshot(request).await.unwrap();
    let (head, body) = answer.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if body["jsonrpc"].is_string() {
        judge.check(&body);
    }
    (head.status, head.headers, body)
}
