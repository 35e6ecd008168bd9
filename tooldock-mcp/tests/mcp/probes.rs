//! Requests of the handshake era that tell servers apart: sessions, `Accept`, and the order in which things come.

use http::Method;
use serde_json::json;

use crate::scene::{HANDSHAKE, Scene, offer, request};

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
