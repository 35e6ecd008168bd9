//! The handshake era over HTTP: `initialize` opens a session.

use http::Method;
use serde_json::{Value, json};
use tooldock_mcp::{Revision, Revisions, Settings};

use crate::scene::{HANDSHAKE, MODERN, Scene, mock, offer, request};

#[tokio::test]
async fn initialize_opens_a_session_and_says_what_is_served() {
    let scene = Scene::new();
    let got = scene.ask().post(request(0, "initialize", offer(HANDSHAKE))).await;
    assert_eq!(got.status, 200);
    assert_eq!(
        got.json(),
        json!({"jsonrpc": "2.0", "id": 0, "result": {
            "protocolVersion": HANDSHAKE, "capabilities": {"logging": {}, "tools": {"listChanged": true}},
            "serverInfo": {"name": "gate", "title": "demo", "version": "9"}, "instructions": "Tools to try.",
        }})
    );
    let id = got.header("mcp-session-id").unwrap();
    assert!(
        id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{id}"
    );
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(scene.ask().session(id).post(told).await.status, 202);
    assert_eq!(
        scene.session(id, "ping", json!({})).await.text,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#
    );
    let call = scene.session(id, "tools/call", json!({"name": "echo"})).await;
    assert_eq!(
        call.json()["result"],
        json!({"content": [{"type": "text", "text": "{}"}], "isError": false})
    );
    assert!(call.header("mcp-session-id").is_none());
}

#[tokio::test]
async fn negotiation_answers_what_is_spoken() {
    let every = Settings::default();
    let table = [
        (HANDSHAKE, HANDSHAKE),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", HANDSHAKE),
        (MODERN, HANDSHAKE),
        ("DRAFT", HANDSHAKE),
    ];
    let scene = Scene::of(mock(&[]), every.clone());
    for (offered, expected) in table {
        let got = scene.ask().post(request(0, "initialize", offer(offered))).await;
        assert_eq!(got.json()["result"]["protocolVersion"], expected, "{offered}");
    }
    let mut older = every;
    older.revisions = Revisions::of(&[Revision::V2025_06_18, Revision::V2025_03_26]);
    let scene = Scene::of(mock(&[]), older);
    for (offered, expected) in [("2025-03-26", "2025-03-26"), (HANDSHAKE, "2025-06-18")] {
        let got = scene.ask().post(request(0, "initialize", offer(offered))).await;
        assert_eq!(got.json()["result"]["protocolVersion"], expected, "{offered}");
    }
}

#[tokio::test]
async fn s33_only_a_valid_initialize_opens_a_session() {
    let scene = Scene::new();
    for (params, status) in [
        (json!({}), 200),
        (
            json!({"protocolVersion": 5, "capabilities": {}, "clientInfo": {}}),
            200,
        ),
        (json!({"protocolVersion": HANDSHAKE, "clientInfo": {}}), 200),
        (json!({"protocolVersion": HANDSHAKE, "capabilities": {}}), 200),
        (json!([HANDSHAKE]), 200),
    ] {
        let got = scene.ask().post(request(0, "initialize", params.clone())).await;
        assert_eq!((got.status, got.code()), (status, -32_602), "{params}");
        assert!(got.header("mcp-session-id").is_none());
    }
    let refused = scene
        .ask()
        .with("accept", "image/png")
        .without("accept")
        .with("accept", "image/png");
    assert_eq!(
        refused
            .post(request(0, "initialize", offer(HANDSHAKE)))
            .await
            .status,
        406
    );
    assert_eq!(scene.server.sessions().count().await, 0);
    scene.initialize().await;
    assert_eq!(scene.server.sessions().count().await, 1);
}

/// One row: the headers, the message, the expected status and code.
type Row<'a> = (&'a [(&'a str, &'a str)], Value, u16, i64);

#[tokio::test]
#[rustfmt::skip]
async fn the_session_ladder_refuses_with_its_own_status() {
    let scene = Scene::new();
    let id = &*scene.initialize().await;
    let (session, version) = ("mcp-session-id", "mcp-protocol-version");
    let ping = || request(1, "ping", json!({}));
    let rows: &[Row<'_>] = &[
        (&[(session, id)], ping(), 200, 0),
        (&[(session, id), (version, HANDSHAKE)], ping(), 200, 0),
        (&[(version, HANDSHAKE)], ping(), 400, -32_600),
        (&[], ping(), 400, -32_600),
        (&[(session, "0123456789abcdef0123456789abcdef")], ping(), 404, -32_600),
        (&[(session, id), (session, id)], ping(), 400, -32_600),
        (&[(session, id), (version, "2024-11-05")], ping(), 200, 0),
        (&[(session, id), (version, "1999-01-01")], ping(), 400, -32_022),
        (&[(session, id), (version, HANDSHAKE), (version, HANDSHAKE)], ping(), 400, -32_022),
        (&[(session, id)], request(1, "no/such", json!({})), 200, -32_601),
        (&[(session, id)], request(1, "server/discover", json!({})), 200, -32_601),
        (&[(session, id)], request(1, "completion/complete", json!({})), 200, -32_601),
        (&[(session, id)], request(1, "tools/call", json!({"name": "nope"})), 200, -32_602),
        (&[(session, id)], request(1, "tools/call", json!({"name": "echo", "arguments": "x"})), 200, -32_602),
        (&[(session, id)], request(1, "tools/list", json!([])), 200, -32_602),
        (&[(session, id)], request(1, "logging/setLevel", json!({"level": "loud"})), 200, -32_602),
        (&[(session, id)], json!([]), 400, -32_600),
        (&[(session, id)], json!([ping()]), 400, -32_600),
        (&[(session, "unknown")], request(1, "initialize", offer(HANDSHAKE)), 404, -32_600),
        (&[(session, id)], request(1, "initialize", offer(HANDSHAKE)), 200, 0),
        (&[(version, "1999-01-01")], request(1, "initialize", offer(HANDSHAKE)), 200, 0),
        (&[(version, MODERN)], request(1, "initialize", offer(HANDSHAKE)), 400, -32_020),
    ];
    for (headers, message, status, code) in rows {
        let ask = headers
            .iter()
            .fold(scene.ask(), |ask, (name, value)| ask.with(name, value));
        let got = ask.post(message).await;
        assert_eq!(
            (got.status, got.code()),
            (*status, *code),
            "{headers:?} {message}: {got:?}"
        );
    }
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
    assert_eq!(scene.ask().session(id).post(&response).await.status, 202);
    assert_eq!(scene.ask().post(&response).await.code(), -32_600);
}

#[tokio::test]
async fn requests_before_initialized_are_served() {
    let scene = Scene::new();
    let id = scene.initialize().await;
    assert!(scene.session(&id, "tools/list", json!({})).await.json()["result"]["tools"].is_array());
}

#[tokio::test]
async fn without_handshake_revisions_a_client_is_told_what_is_spoken() {
    let mut settings = Settings::default();
    settings.revisions = Revisions::of(&[Revision::V2026_07_28]);
    let scene = Scene::of(mock(&[]), settings);
    let got = scene.ask().post(request(1, "initialize", offer(HANDSHAKE))).await;
    assert_eq!((got.status, got.code()), (400, -32_022));
    assert_eq!(got.json()["error"]["data"]["supported"], json!([MODERN]));
    for method in [Method::GET, Method::DELETE] {
        let got = scene.ask().send(method, "").await;
        assert_eq!((got.status, got.header("allow")), (405, Some("POST")));
    }
}
