//! Every probe that is known to tell servers apart, row by row: no row is a 5xx, and no 4xx is without a JSON-RPC error.

use std::time::Duration;

use axum::{Router, body::Body};
use http::{Method, request::Builder};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::fixture::{Stream, gateway, request, send};

const MODERN: &str = "2026-07-28";
const HANDSHAKE: &str = "2025-11-25";

/// What is expected of a row: the status, and the code of the error, or 0, or [`STREAM`].
type Row = (&'static str, Builder, Method, String, u16, i64);

/// An event stream, which stays open.
const STREAM: i64 = 1;

/// A page that is not the operator's, and what it is told.
const EVIL: &str = "https://evil.example";
const FORBIDDEN: i64 = -33_002;

/// How long a row may take.
const DEADLINE: Duration = Duration::from_secs(30);

async fn check(app: &Router, rows: Vec<Row>) {
    let mut open = Vec::new();
    for (probe, request, verb, body, status, code) in rows {
        let request = request.method(verb);
        if code == STREAM {
            let opening = async {
                let mut stream = Stream::open(app, request, &body).await;
                assert!(stream.frame().await.is_some(), "{probe}");
                stream
            };
            open.push(timeout(DEADLINE, opening).await.expect(probe));
            continue;
        }
        let sent = send(app, request.body(Body::from(body)).unwrap());
        let (got, _, body) = timeout(DEADLINE, sent).await.expect(probe);
        let error = &body["error"];
        assert!(got.as_u16() < 500, "{probe}: {got} {body}");
        assert_eq!(
            (got.as_u16(), error["code"].as_i64().unwrap_or(0)),
            (status, code),
            "{probe}: {body}"
        );
        if status >= 400 {
            assert!(
                body["jsonrpc"] == "2.0" && error["message"].is_string(),
                "{probe}: {body}"
            );
        }
    }
}

fn post() -> Builder {
    request("POST", "/demo/mcp")
}

fn without(mut request: Builder, name: &str) -> Builder {
    request.headers_mut().unwrap().remove(name);
    request
}

fn with(request: Builder, name: &str, value: &str) -> Builder {
    without(request, name).header(name, value)
}

fn message(id: impl Into<Value>, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params}).to_string()
}

fn offer(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}})
}

/// Adds what a message of 2026-07-28 says of itself.
fn enveloped(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
    });
    params
}

async fn initialize(app: &Router) -> String {
    let opening = post().body(Body::from(message(0, "initialize", offer(HANDSHAKE))));
    let (_, headers, _) = send(app, opening.unwrap()).await;
    headers["mcp-session-id"].to_str().unwrap().to_owned()
}

fn lacking(mut params: Value, name: &str) -> Value {
    let name = format!("io.modelcontextprotocol/{name}");
    params["_meta"].as_object_mut().unwrap().remove(&name);
    params
}

fn with_meta(mut params: Value, name: &str, value: Value) -> Value {
    params["_meta"][format!("io.modelcontextprotocol/{name}")] = value;
    params
}

#[tokio::test]
#[rustfmt::skip]
async fn probes_of_the_modern_era() {
    let app = gateway().router();
    let (version, method, name) = ("mcp-protocol-version", "mcp-method", "mcp-name");
    let ask = |called: &str| post().header(version, MODERN).header(method, called);
    let call = || ask("tools/call").header(name, "add");
    let body = |called: &str, params: Value| message("the id", called, params);
    let sum = || enveloped(json!({"name": "add", "arguments": {"a": 1, "b": 2}}));
    let call_body = |params: Value| body("tools/call", params);
    let other = "2027-01-01";
    let mut rows: Vec<Row> = vec![
        ("discover", ask("server/discover"), Method::POST, body("server/discover", enveloped(json!({}))), 200, 0),
        ("list", ask("tools/list"), Method::POST, body("tools/list", enveloped(json!({}))), 200, 0),
        ("call", call(), Method::POST, call_body(sum()), 200, 0),
        ("no client info", call(), Method::POST, call_body(lacking(sum(), "clientInfo")), 200, 0),
        ("no capabilities", call(), Method::POST, call_body(lacking(sum(), "clientCapabilities")), 400, -32_602),
        ("empty meta", call(), Method::POST, call_body(json!({"name": "add", "_meta": {}})), 400, -32_602),
        ("no params", ask("tools/list"), Method::POST, json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string(), 400, -32_602),
        ("no method header", without(call(), method), Method::POST, call_body(sum()), 400, -32_020),
        ("wrong method header", with(call(), method, "tools/list"), Method::POST, call_body(sum()), 400, -32_020),
        ("two method headers", call().header(method, "tools/call"), Method::POST, call_body(sum()), 400, -32_020),
        ("no name header", without(call(), name), Method::POST, call_body(sum()), 400, -32_020),
        ("wrong name header", with(call(), name, "panics"), Method::POST, call_body(sum()), 400, -32_020),
        ("encoded name", with(call(), name, "=?base64?YWRk?="), Method::POST, call_body(sum()), 200, 0),
        ("padded name", with(call(), name, " add "), Method::POST, call_body(sum()), 200, 0),
        ("unsupported version", with(call(), version, other), Method::POST, call_body(with_meta(sum(), "protocolVersion", json!(other))), 400, -32_022),
        ("unknown tool", ask("tools/call").header(name, "none"), Method::POST, call_body(enveloped(json!({"name": "none"}))), 200, -32_602),
        ("bad arguments", call(), Method::POST, call_body(enveloped(json!({"name": "add", "arguments": {}}))), 200, 0),
        ("arguments no object", call(), Method::POST, call_body(enveloped(json!({"name": "add", "arguments": []}))), 200, -32_602),
        ("cancelled", ask("notifications/cancelled"), Method::POST, json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}).to_string(), 202, 0),
        ("unknown notification", post().header(version, MODERN), Method::POST, json!({"jsonrpc": "2.0", "method": "notifications/none"}).to_string(), 202, 0),
        ("array", call(), Method::POST, format!("[{}]", call_body(sum())), 400, -32_600),
        ("response", call(), Method::POST, json!({"jsonrpc": "2.0", "id": 1, "result": {}}).to_string(), 400, -32_600),
        ("malformed", call(), Method::POST, "{".to_owned(), 400, -32_700),
        ("empty", call(), Method::POST, String::new(), 400, -32_700),
        ("null id", call(), Method::POST, json!({"jsonrpc": "2.0", "id": null, "method": "tools/list"}).to_string(), 400, -32_600),
        ("broken id", call(), Method::POST, json!({"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}).to_string(), 400, -32_600),
        ("no jsonrpc", call(), Method::POST, json!({"id": 1, "method": "tools/list"}).to_string(), 400, -32_600),
        ("plain text", with(call(), "content-type", "text/plain"), Method::POST, call_body(sum()), 415, -32_600),
        ("get", post().header(version, MODERN), Method::GET, String::new(), 405, -32_600),
        ("delete", post().header(version, MODERN), Method::DELETE, String::new(), 405, -32_600),
        ("put", post().header(version, MODERN), Method::PUT, String::new(), 405, -32_600),
        ("stale session", call().header("mcp-session-id", "stale"), Method::POST, call_body(sum()), 200, 0),
        ("bad level", call(), Method::POST, call_body(with_meta(sum(), "logLevel", json!("loud"))), 400, -32_602),
        ("bad cursor", ask("tools/list"), Method::POST, body("tools/list", enveloped(json!({"cursor": "x"}))), 200, -32_602),
        ("envelope without header", post(), Method::POST, call_body(sum()), 400, -32_020),
        ("envelope, older header", with(call(), version, HANDSHAKE), Method::POST, call_body(sum()), 400, -32_020),
        ("unknown header, no envelope", post().header(version, "1999-01-01"), Method::POST, body("tools/list", json!({})), 400, -32_022),
        ("older version in both", with(call(), version, HANDSHAKE), Method::POST, call_body(with_meta(sum(), "protocolVersion", json!(HANDSHAKE))), 400, -32_022),
        ("initialize, modern header", post().header(version, MODERN), Method::POST, body("initialize", offer(HANDSHAKE)), 400, -32_020),
        ("listen without kinds", ask("subscriptions/listen"), Method::POST, body("subscriptions/listen", enveloped(json!({}))), 200, -32_602),
        ("listen", ask("subscriptions/listen"), Method::POST, body("subscriptions/listen", enveloped(json!({"notifications": {"toolsListChanged": true}}))), 200, STREAM),
        ("foreign origin", call().header("origin", EVIL), Method::POST, call_body(sum()), 403, FORBIDDEN),
        ("foreign host", with(call(), "host", "evil.example"), Method::POST, call_body(sum()), 403, FORBIDDEN),
        ("own origin", call().header("origin", "http://localhost:3000"), Method::POST, call_body(sum()), 200, 0),
        ("accepts no answer", with(call(), "accept", "text/html"), Method::POST, call_body(sum()), 406, -32_600),
    ];
    for gone in ["no/such", "ping", "logging/setLevel", "resources/subscribe", "initialize", "tasks/get"] {
        rows.push((gone, ask(gone), Method::POST, body(gone, enveloped(json!({}))), 404, -32_601));
    }
    check(&app, rows).await;
}

#[tokio::test]
#[rustfmt::skip]
async fn probes_of_the_handshake_era() {
    let app = gateway().router();
    let (session, version) = ("mcp-session-id", "mcp-protocol-version");
    let (id, early) = (initialize(&app).await, initialize(&app).await);
    let own = || post().header(session, &id);
    let body = |called: &str, params: Value| message(1, called, params);
    let list = || body("tools/list", json!({}));
    let mut rows: Vec<Row> = vec![
        ("initialize, unknown session", post().header(session, "unknown"), Method::POST, body("initialize", offer(HANDSHAKE)), 404, -32_600),
        ("initialize, other header", post().header(version, "2025-03-26"), Method::POST, body("initialize", offer(HANDSHAKE)), 200, 0),
        ("no session", post(), Method::POST, list(), 400, -32_600),
        ("unknown session", post().header(session, "unknown"), Method::POST, list(), 404, -32_600),
        ("no version", own(), Method::POST, list(), 200, 0),
        ("older version", own().header(version, "2025-03-26"), Method::POST, list(), 200, 0),
        ("unknown version", own().header(version, "1999-01-01"), Method::POST, list(), 400, -32_022),
        ("second initialize", own(), Method::POST, body("initialize", offer(HANDSHAKE)), 200, 0),
        ("batch", own(), Method::POST, format!("[{}]", list()), 400, -32_600),
        ("empty batch", own(), Method::POST, "[]".to_owned(), 400, -32_600),
        ("unknown method", own(), Method::POST, body("no/such", json!({})), 200, -32_601),
        ("unknown tool", own(), Method::POST, body("tools/call", json!({"name": "none"})), 200, -32_602),
        ("get, only json", with(own(), "accept", "application/json"), Method::GET, String::new(), 406, -32_600),
        ("get without session", post(), Method::GET, String::new(), 400, -32_600),
        ("get", own(), Method::GET, String::new(), 200, STREAM),
        ("second get", own(), Method::GET, String::new(), 200, STREAM),
        ("get without accept", without(own(), "accept"), Method::GET, String::new(), 200, STREAM),
        ("get, unknown last event", own().header("last-event-id", "unknown"), Method::GET, String::new(), 200, STREAM),
        ("get, two last events", own().header("last-event-id", "a-1").header("last-event-id", "a-1"), Method::GET, String::new(), 400, -32_600),
        ("get, foreign origin", own().header("origin", EVIL), Method::GET, String::new(), 403, FORBIDDEN),
        ("before initialized", post().header(session, &early), Method::POST, list(), 200, 0),
        ("foreign origin", own().header("origin", EVIL), Method::POST, list(), 403, FORBIDDEN),
        ("delete, foreign origin", own().header("origin", EVIL), Method::DELETE, String::new(), 403, FORBIDDEN),
        ("claimless discover", own(), Method::POST, body("server/discover", json!({})), 200, -32_601),
        ("unknown delete", post().header(session, "unknown"), Method::DELETE, String::new(), 404, -32_600),
        ("delete without session", post(), Method::DELETE, String::new(), 400, -32_600),
    ];
    for offered in ["2024-11-05", "2025-03-26", "2025-06-18", HANDSHAKE, "1999-01-01", MODERN] {
        rows.push((offered, post(), Method::POST, body("initialize", offer(offered)), 200, 0));
    }
    rows.push(("delete", own(), Method::DELETE, String::new(), 204, 0));
    rows.push(("delete again", own(), Method::DELETE, String::new(), 404, -32_600));
    check(&app, rows).await;
}
