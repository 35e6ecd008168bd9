//! Every probe that is known to tell servers apart, row by row: no row is a 5xx, and no 4xx is without a JSON-RPC error.

use http::Method;
use serde_json::{Value, json};

use crate::scene::{Ask, Got, HANDSHAKE, MODERN, Scene, enveloped, offer, request};

/// What is expected of a row: the status, and the code of the error or 0.
type Row<'a> = (&'a str, Ask<'a>, Method, String, u16, i64);

async fn check(rows: Vec<Row<'_>>) {
    for (probe, ask, verb, body, status, code) in rows {
        let got = ask.send(verb, body).await;
        assert!(got.status < 500, "{probe}: {got:?}");
        assert_eq!(got.status, status, "{probe}: {got:?}");
        assert_eq!(code_of(&got), code, "{probe}: {got:?}");
        if got.status >= 400 {
            let error = &got.json()["error"];
            assert!(
                error["code"].is_i64() && error["message"].is_string(),
                "{probe}: {got:?}"
            );
        }
    }
}

fn code_of(got: &Got) -> i64 {
    match got.header("content-type") {
        Some("application/json") => got.code(),
        _ => 0,
    }
}

fn without(mut params: Value, name: &str) -> Value {
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
    let scene = Scene::new();
    let (version, method, name) = ("mcp-protocol-version", "mcp-method", "mcp-name");
    let ask = |called: &str| scene.ask().with(version, MODERN).with(method, called);
    let call = || ask("tools/call").with(name, "echo");
    let body = |called: &str, params: Value| request("the id", called, params).to_string();
    let echo = || enveloped(json!({"name": "echo", "arguments": {}}));
    let call_body = |params: Value| body("tools/call", params);
    let other = "2027-01-01";
    let mut rows: Vec<Row<'_>> = vec![
        ("discover", ask("server/discover"), Method::POST, body("server/discover", enveloped(json!({}))), 200, 0),
        ("list", ask("tools/list"), Method::POST, body("tools/list", enveloped(json!({}))), 200, 0),
        ("call", call(), Method::POST, call_body(echo()), 200, 0),
        ("no client info", call(), Method::POST, call_body(without(echo(), "clientInfo")), 200, 0),
        ("no capabilities", call(), Method::POST, call_body(without(echo(), "clientCapabilities")), 400, -32_602),
        ("empty meta", call(), Method::POST, call_body(json!({"name": "echo", "_meta": {}})), 400, -32_602),
        ("no params", ask("tools/list"), Method::POST, json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string(), 400, -32_602),
        ("no method header", call().without(method), Method::POST, call_body(echo()), 400, -32_020),
        ("wrong method header", call().without(method).with(method, "tools/list"), Method::POST, call_body(echo()), 400, -32_020),
        ("two method headers", call().with(method, "tools/call"), Method::POST, call_body(echo()), 400, -32_020),
        ("no name header", call().without(name), Method::POST, call_body(echo()), 400, -32_020),
        ("wrong name header", call().without(name).with(name, "fail"), Method::POST, call_body(echo()), 400, -32_020),
        ("encoded name", call().without(name).with(name, "=?base64?ZWNobw==?="), Method::POST, call_body(echo()), 200, 0),
        ("padded name", call().without(name).with(name, " echo "), Method::POST, call_body(echo()), 200, 0),
        ("unsupported version", call().without(version).with(version, other), Method::POST, call_body(with_meta(echo(), "protocolVersion", json!(other))), 400, -32_022),
        ("unknown tool", ask("tools/call").with(name, "none"), Method::POST, call_body(enveloped(json!({"name": "none"}))), 200, -32_602),
        ("bad arguments", ask("tools/call").with(name, "refuse"), Method::POST, call_body(enveloped(json!({"name": "refuse"}))), 200, 0),
        ("arguments no object", call(), Method::POST, call_body(enveloped(json!({"name": "echo", "arguments": []}))), 200, -32_602),
        ("cancelled", ask("notifications/cancelled"), Method::POST, json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}).to_string(), 202, 0),
        ("unknown notification", scene.ask().with(version, MODERN), Method::POST, json!({"jsonrpc": "2.0", "method": "notifications/none"}).to_string(), 202, 0),
        ("array", call(), Method::POST, format!("[{}]", call_body(echo())), 400, -32_600),
        ("response", call(), Method::POST, json!({"jsonrpc": "2.0", "id": 1, "result": {}}).to_string(), 400, -32_600),
        ("malformed", call(), Method::POST, "{".to_owned(), 400, -32_700),
        ("empty", call(), Method::POST, String::new(), 400, -32_700),
        ("null id", call(), Method::POST, json!({"jsonrpc": "2.0", "id": null, "method": "tools/list"}).to_string(), 400, -32_600),
        ("broken id", call(), Method::POST, json!({"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}).to_string(), 400, -32_600),
        ("no jsonrpc", call(), Method::POST, json!({"id": 1, "method": "tools/list"}).to_string(), 400, -32_600),
        ("plain text", call().without("content-type").with("content-type", "text/plain"), Method::POST, call_body(echo()), 415, -32_600),
        ("get", scene.ask().with(version, MODERN), Method::GET, String::new(), 405, -32_600),
        ("delete", scene.ask().with(version, MODERN), Method::DELETE, String::new(), 405, -32_600),
        ("put", scene.ask().with(version, MODERN), Method::PUT, String::new(), 405, -32_600),
        ("stale session", call().with("mcp-session-id", "stale"), Method::POST, call_body(echo()), 200, 0),
        ("bad level", call(), Method::POST, call_body(with_meta(echo(), "logLevel", json!("loud"))), 400, -32_602),
        ("bad cursor", ask("tools/list"), Method::POST, body("tools/list", enveloped(json!({"cursor": "x"}))), 200, -32_602),
        ("envelope without header", scene.ask(), Method::POST, call_body(echo()), 400, -32_020),
        ("envelope, older header", call().without(version).with(version, HANDSHAKE), Method::POST, call_body(echo()), 400, -32_020),
        ("unknown header, no envelope", scene.ask().with(version, "1999-01-01"), Method::POST, body("tools/list", json!({})), 400, -32_022),
        ("older version in both", call().without(version).with(version, HANDSHAKE), Method::POST, call_body(with_meta(echo(), "protocolVersion", json!(HANDSHAKE))), 400, -32_022),
        ("initialize, modern header", scene.ask().with(version, MODERN), Method::POST, body("initialize", offer(HANDSHAKE)), 400, -32_020),
        ("listen without kinds", ask("subscriptions/listen"), Method::POST, body("subscriptions/listen", enveloped(json!({}))), 200, -32_602),
        ("accepts no answer", call().without("accept").with("accept", "text/html"), Method::POST, call_body(echo()), 406, -32_600),
    ];
    for gone in ["no/such", "ping", "logging/setLevel", "resources/subscribe", "initialize", "tasks/get"] {
        rows.push((gone, ask(gone), Method::POST, body(gone, enveloped(json!({}))), 404, -32_601));
    }
    check(rows).await;
}

#[tokio::test]
#[rustfmt::skip]
async fn probes_of_the_handshake_era() {
    let scene = Scene::new();
    let (session, version) = ("mcp-session-id", "mcp-protocol-version");
    let id = scene.initialize().await;
    let own = || scene.ask().with(session, &id);
    let body = |called: &str, params: Value| request(1, called, params).to_string();
    let list = || body("tools/list", json!({}));
    let mut rows: Vec<Row<'_>> = vec![
        ("initialize, unknown session", scene.ask().with(session, "unknown"), Method::POST, body("initialize", offer(HANDSHAKE)), 404, -32_600),
        ("initialize, other header", scene.ask().with(version, "2025-03-26"), Method::POST, body("initialize", offer(HANDSHAKE)), 200, 0),
        ("no session", scene.ask(), Method::POST, list(), 400, -32_600),
        ("unknown session", scene.ask().with(session, "unknown"), Method::POST, list(), 404, -32_600),
        ("no version", own(), Method::POST, list(), 200, 0),
        ("older version", own().with(version, "2025-03-26"), Method::POST, list(), 200, 0),
        ("unknown version", own().with(version, "1999-01-01"), Method::POST, list(), 400, -32_022),
        ("second initialize", own(), Method::POST, body("initialize", offer(HANDSHAKE)), 200, 0),
        ("batch", own(), Method::POST, format!("[{}]", list()), 400, -32_600),
        ("empty batch", own(), Method::POST, "[]".to_owned(), 400, -32_600),
        ("unknown method", own(), Method::POST, body("no/such", json!({})), 200, -32_601),
        ("unknown tool", own(), Method::POST, body("tools/call", json!({"name": "none"})), 200, -32_602),
        ("get, only json", own().without("accept").with("accept", "application/json"), Method::GET, String::new(), 406, -32_600),
        ("get without session", scene.ask(), Method::GET, String::new(), 400, -32_600),
        ("claimless discover", own(), Method::POST, body("server/discover", json!({})), 200, -32_601),
        ("unknown delete", scene.ask().with(session, "unknown"), Method::DELETE, String::new(), 404, -32_600),
        ("delete without session", scene.ask(), Method::DELETE, String::new(), 400, -32_600),
    ];
    for offered in ["2024-11-05", "2025-03-26", "2025-06-18", HANDSHAKE, "1999-01-01", MODERN] {
        rows.push((offered, scene.ask(), Method::POST, body("initialize", offer(offered)), 200, 0));
    }
    rows.push(("delete", own(), Method::DELETE, String::new(), 204, 0));
    rows.push(("delete again", own(), Method::DELETE, String::new(), 404, -32_600));
    check(rows).await;
    let id = scene.initialize().await;
    let _streams = [scene.watch(&id).await, scene.watch(&id).await];
    let unknown = scene.ask().session(&id).with("last-event-id", "unknown").events().await;
    assert_eq!(unknown.headers["content-type"], "text/event-stream");
}

#[tokio::test]
async fn f01_an_unknown_session_is_404_and_the_client_starts_over() {
    let before = Scene::new().initialize().await;
    let scene = Scene::new();
    for method in ["tools/list", "tools/call", "ping"] {
        let got = scene.session(&before, method, json!({})).await;
        assert_eq!(
            (got.status, got.code()),
            (404, -32_600),
            "after a restart: {method}"
        );
    }
    let missing = scene.ask().post(request(1, "tools/list", json!({}))).await;
    assert_eq!((missing.status, missing.code()), (400, -32_600));
    let again = scene.initialize().await;
    assert_eq!(scene.session(&again, "tools/list", json!({})).await.status, 200);
}

#[tokio::test]
async fn f07_wildcards_are_consent() {
    let scene = Scene::new();
    let both = "application/json, text/event-stream";
    let rows = [
        (None, 200),
        (Some("*/*"), 200),
        (Some("application/json"), 200),
        (Some("text/event-stream"), 200),
        (Some("application/*, text/*"), 200),
        (Some(both), 200),
        (Some("text/html"), 406),
    ];
    for (accept, status) in rows {
        let ask = scene.ask().without("accept");
        let ask = accept
            .into_iter()
            .fold(ask, |ask, accept| ask.with("accept", accept));
        let got = ask.post(request(0, "initialize", offer(HANDSHAKE))).await;
        assert_eq!(got.status, status, "{accept:?}: {got:?}");
        let streamed = got.header("content-type") == Some("text/event-stream");
        assert_eq!(streamed, accept == Some("text/event-stream"), "{accept:?}");
        assert_eq!(status == 406, got.text.contains("Accept"), "{accept:?}");
    }
    let session = scene.initialize().await;
    for (accept, streamed) in [("*/*", true), ("text/*", true), ("application/*", false)] {
        let ask = || {
            scene
                .ask()
                .session(&session)
                .without("accept")
                .with("accept", accept)
        };
        let call = json!({"name": "talk", "_meta": {"progressToken": 1}});
        let told = ask().post(request(1, "tools/call", call)).await;
        let kind = if streamed {
            "text/event-stream"
        } else {
            "application/json"
        };
        assert_eq!(told.header("content-type"), Some(kind), "{accept}: {told:?}");
        let stream = ask().open(Method::GET, "").await;
        assert_eq!(stream.status(), if streamed { 200 } else { 406 }, "{accept}");
    }
}

#[tokio::test]
async fn f08_initialize_always_negotiates() {
    let scene = Scene::new();
    for (offered, agreed) in [("2099-01-01", HANDSHAKE), ("2025-06-18", "2025-06-18")] {
        let ask = scene.ask().with("mcp-protocol-version", offered);
        let got = ask.post(request(0, "initialize", offer(offered))).await;
        assert_eq!(got.status, 200, "{offered}: {got:?}");
        assert_eq!(got.json()["result"]["protocolVersion"], agreed);
    }
}

#[tokio::test]
async fn f09_what_overtakes_initialized_is_served() {
    let scene = Scene::new();
    for name in ["notifications/initialized", "initialized"] {
        for _ in 0..64 {
            let session = scene.initialize().await;
            let told = json!({"jsonrpc": "2.0", "method": name});
            let list = scene.session(&session, "tools/list", json!({}));
            let (list, told) = tokio::join!(list, scene.ask().session(&session).post(told));
            assert_eq!((list.status, told.status), (200, 202), "{list:?}");
        }
    }
}
