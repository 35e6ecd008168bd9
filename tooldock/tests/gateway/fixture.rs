//! A gateway over Rust closures, and requests to it.

use axum::{
    Router,
    body::{Body, BodyDataStream, Bytes, HttpBody as _},
};
use futures_util::StreamExt as _;
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tooldock::{
    Gateway, RawJson, StaticEngine, Tool, ToolOutput,
    http::{Bearer, HttpSettings, Token, Tokens},
};
use tooldock_judge::Exchange;
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
    let exchange = Exchange::of(&head.headers, std::str::from_utf8(&asked).unwrap_or_default());
    let request = Request::from_parts(head, body);
    let answer = app.clone().oneshot(request).await.unwrap();
    let (head, body) = answer.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    exchange
        .answered(&head.headers)
        .hear(&String::from_utf8_lossy(&bytes));
    let body = serde_json::from_slice(&bytes).unwrap_or_default();
    (head.status, head.headers, body)
}

/// An event stream that stays open. What is read of it is judged like what [`send`] gives.
pub(crate) struct Stream {
    exchange: Exchange,
    frames: BodyDataStream,
}

impl Stream {
    /// Opens it with a request whose body is `asked`.
    pub(crate) async fn open(app: &Router, request: http::request::Builder, asked: &str) -> Self {
        let exchange = Exchange::of(request.headers_ref().unwrap(), asked);
        let request = request.body(Body::from(asked.to_owned())).unwrap();
        let answer = app.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        Self {
            exchange: exchange.answered(answer.headers()),
            frames: answer.into_body().into_data_stream(),
        }
    }

    /// Judges the answer to another message that comes on it.
    pub(crate) fn note(&mut self, asked: &Value) {
        self.exchange.note(asked);
    }

    /// The next frame as it travels; nothing once it has ended.
    pub(crate) async fn frame(&mut self) -> Option<String> {
        let frame = self.frames.next().await?.unwrap();
        let frame = String::from_utf8(frame.to_vec()).unwrap();
        self.exchange.hear(&frame);
        Some(frame)
    }
}
