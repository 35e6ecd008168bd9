//! Many at once.

use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tooldock_engine::{RawJson, StaticEngine, ToolOutput};
use tooldock_mcp::Settings;

use crate::scene::{Events, HANDSHAKE, MODERN, Scene, enveloped, mock, offer, request, tool};

#[tokio::test]
async fn s44_interleaved_calls_with_equal_ids_return_to_their_own_caller() {
    // None ends before all have begun.
    let echo = async |_cx, arguments: RawJson| {
        tokio::task::yield_now().await;
        Ok(ToolOutput::text(arguments.as_str()))
    };
    let engine = StaticEngine::builder().tool(tool("echo"), echo).build().unwrap();
    let scene = Scene::of(Arc::new(engine), Settings::default());
    let sessions = join_all((0..10).map(|_| scene.initialize())).await;
    let calls = (0..1000).map(async |number| {
        let params = json!({"name": "echo", "arguments": {"n": number}});
        let ask = match number % 2 {
            0 => scene
                .ask()
                .with("mcp-protocol-version", MODERN)
                .with("mcp-method", "tools/call")
                .with("mcp-name", "echo"),
            _ => scene.ask_as("ann", "demo").session(&sessions[number % 10]),
        };
        let (id, params) = match number % 2 {
            0 => (json!(1), enveloped(params)),
            // Equal in all sessions.
            _ => (json!(number / 10), params),
        };
        let got = ask.post(request(id, "tools/call", params)).await.json();
        let text: Value =
            serde_json::from_str(got["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, json!({"n": number}));
    });
    join_all(calls).await;
}

#[tokio::test]
async fn s33_refused_and_ended_sessions_leave_nothing_behind() {
    let scene = Scene::new();
    for _ in 0..500 {
        let id = scene.initialize().await;
        scene.ask().session(&id).send(http::Method::DELETE, "").await;
        scene.ask().post(request(0, "initialize", json!({}))).await;
    }
    assert_eq!(scene.server.sessions().count().await, 0);
    let most = scene.server.settings().sessions.per_principal;
    let ids = join_all((0..most + 5).map(|_| scene.initialize())).await;
    assert_eq!(scene.server.sessions().count().await, most);
    assert_eq!(
        scene.session(&ids[0], "ping", json!({})).await.status,
        404,
        "the least recently used made room"
    );
    let bob = scene
        .ask_as("bob", "demo")
        .post(request(0, "initialize", offer("2025-11-25")))
        .await;
    assert_eq!(bob.status, 200, "another principal is not affected");
    assert_eq!(scene.session(&ids[most], "ping", json!({})).await.status, 200);
}

#[tokio::test]
async fn s33_sessions_and_their_streams_are_capped() {
    let mut settings = Settings::default();
    settings.sessions.total = 3;
    settings.sessions.per_principal = 2;
    settings.sessions.streams = 2;
    let scene = Scene::of(mock(&[]), settings);
    let open = async |principal: &'static str| {
        let initialize = request(0, "initialize", offer(HANDSHAKE));
        let got = scene.ask_as(principal, "demo").post(initialize).await;
        (principal, got.header("mcp-session-id").unwrap().to_owned())
    };
    let status = async |(principal, id): &(&'static str, String)| {
        let ping = request(1, "ping", json!({}));
        scene
            .ask_as(principal, "demo")
            .session(id)
            .post(ping)
            .await
            .status
    };
    let first = [open("ann").await, open("ann").await];
    let rest = [open("ann").await, open("bob").await];
    assert_eq!(status(&first[0]).await, 404, "of one principal");
    let last = open("cid").await;
    assert_eq!(status(&first[1]).await, 404, "in all");
    assert_eq!(scene.server.sessions().count().await, 3);
    for kept in rest.iter().chain([&last]) {
        assert_eq!(status(kept).await, 200, "{}", kept.0);
    }

    let (_, id) = &rest[0];
    let mut streams = [scene.watch(id).await, scene.watch(id).await];
    assert!(streams.iter_mut().all(Events::is_silent));
    let _newest = scene.watch(id).await;
    assert_eq!(streams[0].message().await, None, "of one session the oldest ends");
    assert!(streams[1].is_silent());
}
