//! 2026-07-28 over HTTP: every request describes itself.

use http::Method;
use serde_json::{Value, json};

use crate::scene::{HANDSHAKE, MODERN, Scene, enveloped, request};

const SI: &str = "io.modelcontextprotocol/serverInfo";

#[tokio::test]
async fn discover_says_what_is_served_and_nothing_else() {
    let got = Scene::new().modern("server/discover", json!({})).await;
    assert_eq!(got.status, 200);
    assert_eq!(
        got.json()["result"],
        json!({
            "resultType": "complete", "supportedVersions": [MODERN],
            "capabilities": {"logging": {}, "tools": {"listChanged": true}},
            "instructions": "Tools to try.", "ttlMs": 0, "cacheScope": "private",
            "_meta": {SI: {"name": "gate", "title": "demo", "version": "9"}},
        })
    );
}

#[tokio::test]
async fn a_tool_is_listed_and_called() {
    let scene = Scene::new();
    let list = scene.modern("tools/list", json!({})).await.json();
    let names: Vec<&str> = list["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "asking", "away", "echo", "fail", "refuse", "rich", "talk", "trace"
        ]
    );
    let got = scene
        .modern("tools/call", json!({"name": "echo", "arguments": {"a": 2.5}}))
        .await;
    assert_eq!(
        got.json()["result"],
        json!({
            "resultType": "complete", "content": [{"type": "text", "text": "{\"a\":2.5}"}], "isError": false,
            "_meta": {SI: {"name": "gate", "title": "demo", "version": "9"}},
        })
    );
}

/// One row: the method, the params, headers to add, headers to leave out, the expected status and code.
type Row<'a> = (&'a str, Value, &'a [(&'a str, &'a str)], &'a [&'a str], u16, i64);

#[tokio::test]
#[rustfmt::skip]
async fn s40_the_ladder_refuses_with_its_own_status_and_code() {
    let scene = Scene::new();
    let call = || enveloped(json!({"name": "echo", "arguments": {}}));
    let meta = |key: &str, value: Value| {
        let mut params = call();
        params["_meta"][format!("io.modelcontextprotocol/{key}")] = value;
        params
    };
    let without = |key: &str| {
        let mut params = call();
        params["_meta"]
            .as_object_mut()
            .unwrap()
            .remove(&format!("io.modelcontextprotocol/{key}"));
        params
    };
    let (version, method, name) = ("mcp-protocol-version", "mcp-method", "mcp-name");
    let table: &[Row<'_>] = &[
        ("tools/call", call(), &[], &[], 200, 0),
        ("tools/call", call(), &[("mcp-session-id", "stale")], &[], 200, 0),
        ("tools/call", call(), &[(name, "=?base64?ZWNobw==?=")], &[name], 200, 0),
        ("tools/call", call(), &[(name, "  echo ")], &[name], 200, 0),
        ("tools/call", call(), &[], &[version], 400, -32_020),
        ("tools/call", call(), &[(version, HANDSHAKE)], &[version], 400, -32_020),
        ("tools/call", call(), &[(version, MODERN)], &[], 400, -32_020),
        ("tools/call", call(), &[], &[method], 400, -32_020),
        ("tools/call", call(), &[(method, "tools/list")], &[method], 400, -32_020),
        ("tools/call", call(), &[(method, "Tools/call")], &[method], 400, -32_020),
        ("tools/call", call(), &[(method, "tools/call")], &[], 400, -32_020),
        ("tools/call", call(), &[], &[name], 400, -32_020),
        ("tools/call", call(), &[(name, "fail")], &[name], 400, -32_020),
        ("tools/call", call(), &[(name, "echo")], &[], 400, -32_020),
        ("tools/call", call(), &[(name, "=?base64?###?=")], &[name], 400, -32_020),
        ("tools/call", without("protocolVersion"), &[], &[], 400, -32_602),
        ("tools/call", without("clientCapabilities"), &[], &[], 400, -32_602),
        ("tools/call", meta("clientCapabilities", json!([])), &[], &[], 400, -32_602),
        ("tools/call", meta("clientInfo", json!("me")), &[], &[], 400, -32_602),
        ("tools/call", meta("logLevel", json!("loud")), &[], &[], 400, -32_602),
        ("tools/call", meta("protocolVersion", json!(7)), &[], &[], 400, -32_602),
        ("tools/call", json!({"name": "echo"}), &[], &[], 400, -32_602),
        ("tools/call", json!({"name": "echo", "_meta": {}}), &[], &[], 400, -32_602),
        ("tools/call", meta("protocolVersion", json!("2027-01-01")), &[(version, "2027-01-01")], &[version], 400, -32_022),
        ("tools/call", meta("protocolVersion", json!(HANDSHAKE)), &[(version, HANDSHAKE)], &[version], 400, -32_022),
        ("tools/call", json!({}), &[(version, "1999-01-01")], &[version], 400, -32_022),
        ("tools/list", enveloped(json!({})), &[], &[], 200, 0),
        ("ping", enveloped(json!({})), &[], &[], 404, -32_601),
        ("initialize", enveloped(json!({})), &[], &[], 404, -32_601),
        ("initialize", json!({}), &[], &[], 400, -32_020),
        ("logging/setLevel", enveloped(json!({})), &[], &[], 404, -32_601),
        ("resources/subscribe", enveloped(json!({})), &[], &[], 404, -32_601),
        ("completion/complete", enveloped(json!({})), &[], &[], 404, -32_601),
        ("tasks/get", enveloped(json!({"taskId": "1"})), &[(name, "1")], &[], 404, -32_601),
        ("tools/call", enveloped(json!({"name": "echo", "arguments": [1]})), &[], &[], 200, -32_602),
        ("tools/call", enveloped(json!({"name": 5})), &[], &[], 200, -32_602),
        ("tools/call", enveloped(json!({"name": "asking"})), &[], &[], 400, -32_021),
        ("tools/list", enveloped(json!({"cursor": "x"})), &[], &[], 200, -32_602),
        ("tools/list", enveloped(json!({"cursor": 5})), &[], &[], 200, -32_602),
    ];
    for (called, params, added, left_out, status, code) in table {
        let mut ask = scene.ask().with(version, MODERN).with(method, called);
        if let Some(tool) = params["name"].as_str() {
            ask = ask.with(name, tool);
        }
        ask = left_out.iter().fold(ask, |ask, header| ask.without(header));
        ask = added
            .iter()
            .fold(ask, |ask, (header, value)| ask.with(header, value));
        let got = ask.post(request("the id", called, params.clone())).await;
        let row = format!("{called} {params} +{added:?} -{left_out:?}: {got:?}");
        assert_eq!((got.status, got.code()), (*status, *code), "{row}");
        assert_eq!(got.json()["id"], "the id", "{row}");
    }
}

#[tokio::test]
async fn refusals_carry_what_a_client_needs_to_go_on() {
    let scene = Scene::new();
    let mut params = enveloped(json!({}));
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2027-01-01".into();
    let ask = scene
        .ask()
        .with("mcp-protocol-version", "2027-01-01")
        .with("mcp-method", "tools/list");
    let error = &ask.post(request(1, "tools/list", params)).await.json()["error"];
    assert_eq!(
        error["data"],
        json!({"supported": [MODERN], "requested": "2027-01-01"})
    );
    let error = &scene.modern("initialize", json!({})).await.json()["error"];
    assert_eq!(error["data"], json!({"supported": [MODERN]}));
    let error = &scene.modern("tools/call", json!({"name": "asking"})).await.json()["error"];
    assert_eq!(
        error["data"],
        json!({"requiredCapabilities": {"elicitation": {"form": {}}}})
    );
    let mut able = json!({"name": "asking"});
    able["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    assert_eq!(scene.modern("tools/call", able).await.status, 200);
}

#[tokio::test]
async fn bodies_that_are_no_message_are_refused_in_json() {
    let scene = Scene::new();
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
    let table = [
        ("", -32_700),
        ("{", -32_700),
        ("not json", -32_700),
        ("{} {}", -32_700),
        ("\"\\ud800\"", -32_700),
        ("5", -32_600),
        ("[]", -32_600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600),
        (r#"{"id":1,"method":"ping"}"#, -32_600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32_600),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32_600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32_600),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#,
            -32_600,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#, -32_600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#, -32_600),
        (&deep, -32_600),
    ];
    for (body, code) in table {
        for version in [MODERN, HANDSHAKE] {
            let got = scene.ask().with("mcp-protocol-version", version).post(body).await;
            assert_eq!(
                (got.status, got.code()),
                (400, code),
                "`{body}` {version}: {got:?}"
            );
        }
    }
}

#[tokio::test]
async fn headers_of_http_are_checked_before_the_message() {
    let scene = Scene::new();
    let list = request(1, "tools/list", enveloped(json!({})));
    let ask = || {
        scene
            .ask()
            .with("mcp-protocol-version", MODERN)
            .with("mcp-method", "tools/list")
    };
    for (media, status) in [
        ("application/json; charset=utf-8", 200),
        ("Application/JSON", 200),
        ("text/plain", 415),
        ("application/json5", 415),
    ] {
        let got = ask()
            .without("content-type")
            .with("content-type", media)
            .post(&list)
            .await;
        assert_eq!(got.status, status, "{media}");
        assert_eq!(got.json()["jsonrpc"], "2.0");
    }
    assert_eq!(ask().without("content-type").post(&list).await.status, 415);
    assert_eq!(
        ask()
            .with("content-type", "application/json")
            .post(&list)
            .await
            .status,
        400
    );
    for (accept, status) in [("application/json", 200), ("*/*", 200), ("image/png", 406)] {
        let got = ask().without("accept").with("accept", accept).post(&list).await;
        assert_eq!(
            (got.status, got.json()["jsonrpc"].as_str()),
            (status, Some("2.0")),
            "{accept}"
        );
    }
    assert_eq!(ask().without("accept").post(&list).await.status, 200);
    let got = ask()
        .without("accept")
        .with("accept", "text/event-stream")
        .post(&list)
        .await;
    assert_eq!(got.events()[0]["id"], 1);
}

#[tokio::test]
async fn verbs_without_sessions_are_answered_405() {
    let scene = Scene::new();
    for (method, version, allow) in [
        (Method::GET, MODERN, "POST"),
        (Method::DELETE, MODERN, "POST"),
        (Method::PUT, HANDSHAKE, "POST, GET, DELETE"),
        (Method::PATCH, MODERN, "POST, GET, DELETE"),
    ] {
        let got = scene
            .ask()
            .with("mcp-protocol-version", version)
            .send(method.clone(), "")
            .await;
        assert_eq!(
            (got.status, got.header("allow")),
            (405, Some(allow)),
            "{method} {version}"
        );
        assert_eq!(got.code(), -32_600);
    }
}

#[tokio::test]
async fn notifications_are_taken_without_an_answer() {
    let scene = Scene::new();
    let told = |method: &str, params: Value| json!({"jsonrpc": "2.0", "method": method, "params": params});
    for (version, message) in [
        (
            MODERN,
            told("notifications/cancelled", enveloped(json!({"requestId": 1}))),
        ),
        (MODERN, told("notifications/other", json!({}))),
        ("1999-01-01", told("notifications/other", json!({}))),
        (HANDSHAKE, told("notifications/other", enveloped(json!({})))),
    ] {
        let got = scene
            .ask()
            .with("mcp-protocol-version", version)
            .post(&message)
            .await;
        assert_eq!((got.status, got.text.as_str()), (202, ""), "{version} {message}");
    }
}

#[tokio::test]
async fn s42_answers_may_not_be_shared() {
    let got = Scene::new().modern("tools/list", json!({})).await;
    assert_eq!(got.json()["result"]["cacheScope"], "private");
    assert_eq!(got.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn what_a_message_says_of_its_trace_counts_before_its_headers() {
    let scene = Scene::new();
    let ask = || {
        let ask = scene
            .ask()
            .with("mcp-protocol-version", MODERN)
            .with("mcp-method", "tools/call");
        ask.with("mcp-name", "trace")
            .with("traceparent", "00-header")
            .with("tracestate", "h=1")
    };
    let text = |params: Value| request(1, "tools/call", enveloped(params));
    let got = ask().post(text(json!({"name": "trace"}))).await.json();
    assert_eq!(
        got["result"]["content"][0]["text"],
        r#"Some("00-header") Some("h=1") "#
    );
    let got = ask()
        .post(text(
            json!({"name": "trace", "_meta": {"traceparent": "00-meta"}}),
        ))
        .await
        .json();
    assert_eq!(got["result"]["content"][0]["text"], r#"Some("00-meta") None "#);
}

#[tokio::test]
async fn s40_arguments_that_a_tool_wants_mirrored_are_checked() {
    use tooldock_engine::{RawJson, StaticEngine, ToolOutput};
    let mut marked = crate::scene::tool("t");
    let region = json!({"type": "string", "x-mcp-header": "Region"});
    marked.input_schema = RawJson::from(json!({"type": "object", "properties": {"region": region}}));
    let engine = StaticEngine::builder()
        .tool(marked, async |_cx, _| Ok(ToolOutput::text("ok")))
        .build()
        .unwrap();
    let scene = Scene::of(std::sync::Arc::new(engine), tooldock_mcp::Settings::default());
    for (header, status, code) in [("eu", 200, 0), ("us", 400, -32_020)] {
        let params = enveloped(json!({"name": "t", "arguments": {"region": "eu"}}));
        let ask = scene
            .ask()
            .with("mcp-protocol-version", MODERN)
            .with("mcp-method", "tools/call");
        let got = ask
            .with("mcp-name", "t")
            .with("mcp-param-region", header)
            .post(request(1, "tools/call", params))
            .await;
        assert_eq!((got.status, got.code()), (status, code), "{header}");
    }
}
