//! How long a call lives: as long as its exchange in one era, as long as its session in the other.

use std::{sync::Arc, time::Duration};

use axum::body::to_bytes;
use futures_util::FutureExt as _;
use http::Method;
use serde_json::json;
use tokio::sync::Notify;
use tooldock_engine::{CallContext, EngineReply, StaticEngine, ToolOutput, testing::EngineMock};
use tooldock_mcp::Settings;

use crate::scene::{MODERN, Scene, enveloped, mock, progress, request, tool};

pub(crate) fn said(text: &str) -> EngineReply {
    EngineReply::Tool(ToolOutput::text(text))
}

fn scene() -> (Arc<EngineMock>, Scene) {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    (engine, scene)
}

fn cancelled(id: i64) -> serde_json::Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
}

#[tokio::test]
async fn s38_a_modern_client_that_leaves_ends_its_call() {
    let (engine, scene) = scene();
    let ask = scene
        .ask()
        .with("mcp-protocol-version", MODERN)
        .with("mcp-method", "tools/call")
        .with("mcp-name", "t");
    let mut exchange = Box::pin(ask.open(
        Method::POST,
        request(1, "tools/call", enveloped(json!({"name": "t"}))),
    ));
    assert!((&mut exchange).now_or_never().is_none());
    let mut running = engine.next().await;
    let token = running.cx.cancelled().clone();
    assert!(!token.is_cancelled());
    drop(exchange);
    assert!(token.is_cancelled());
    running.abandoned().await;
}

#[tokio::test(start_paused = true)]
async fn s38_a_modern_client_that_leaves_its_stream_ends_its_call() {
    let (engine, scene) = scene();
    let ask = scene
        .ask()
        .with("mcp-protocol-version", MODERN)
        .with("mcp-method", "tools/call")
        .with("mcp-name", "t");
    // Nothing is told for as long as it takes to open a stream.
    let response = ask
        .open(
            Method::POST,
            request(1, "tools/call", enveloped(json!({"name": "t"}))),
        )
        .await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut running = engine.next().await;
    let token = running.cx.cancelled().clone();
    drop(response);
    assert!(token.is_cancelled());
    running.abandoned().await;
}

#[tokio::test(start_paused = true)]
async fn s38_a_modern_call_goes_on_while_its_client_does_not_read() {
    let ended = Arc::new(Notify::new());
    let signal = ended.clone();
    let slow = move |cx: CallContext, _| {
        let signal = signal.clone();
        async move {
            for count in 0..1000 {
                cx.client().notify(progress(count));
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            signal.notify_one();
            Ok(ToolOutput::text("done"))
        }
    };
    let engine = StaticEngine::builder().tool(tool("t"), slow).build().unwrap();
    let scene = Scene::of(Arc::new(engine), Settings::default());
    let ask = scene
        .ask()
        .with("mcp-protocol-version", MODERN)
        .with("mcp-method", "tools/call")
        .with("mcp-name", "t");
    let params = enveloped(json!({"name": "t", "_meta": {"progressToken": 1}}));
    let unread = ask.open(Method::POST, request(1, "tools/call", params)).await;
    assert_eq!(unread.headers()["content-type"], "text/event-stream");
    let in_time = tokio::time::timeout(Duration::from_secs(2000), ended.notified()).await;
    assert!(in_time.is_ok(), "the call stands still");
    let text = String::from_utf8(to_bytes(unread.into_body(), usize::MAX).await.unwrap().into()).unwrap();
    assert!(text.contains("done"), "the answer waits for its reader: {text}");
}

#[tokio::test]
async fn s38_a_handshake_client_that_leaves_does_not_end_its_call() {
    let (engine, scene) = scene();
    let id = scene.initialize().await;
    let ask = scene.ask().session(&id);
    let mut exchange = Box::pin(ask.open(Method::POST, request(1, "tools/call", json!({"name": "t"}))));
    assert!((&mut exchange).now_or_never().is_none());
    let running = engine.next().await;
    let token = running.cx.cancelled().clone();
    drop(exchange);
    assert!(!token.is_cancelled());
    // The id is in use until the call ends, which it does when the engine answers.
    let got = scene.session(&id, "tools/call", json!({"name": "t"})).await;
    assert_eq!(got.code(), -32_600);
    running.answer(Ok(said("unheard")));
    let answers = async {
        loop {
            engine.next().await.answer(Ok(said("again")));
        }
    };
    let asks = async {
        loop {
            let got = scene.session(&id, "tools/call", json!({"name": "t"})).await;
            if got.code() != -32_600 {
                return got;
            }
            tokio::task::yield_now().await;
        }
    };
    let got = tokio::select! {
        got = asks => got,
        () = answers => unreachable!("it answers forever"),
    };
    assert_eq!(got.json()["result"]["content"][0]["text"], "again");
}

#[tokio::test]
async fn a_notification_cancels_a_handshake_call() {
    let (engine, scene) = scene();
    let (id, other) = (scene.initialize().await, scene.initialize().await);
    let call = scene.session(&id, "tools/call", json!({"name": "t"}));
    let cancel = async {
        let mut running = engine.next().await;
        for (session, request_id) in [(&id, 2), (&other, 1)] {
            assert_eq!(
                scene
                    .ask()
                    .session(session)
                    .post(cancelled(request_id))
                    .await
                    .status,
                202
            );
            assert!(!running.cx.cancelled().is_cancelled(), "it is another call's");
        }
        assert_eq!(scene.ask().session(&id).post(cancelled(1)).await.status, 202);
        assert!(running.cx.cancelled().is_cancelled());
        running.abandoned().await;
    };
    let (got, ()) = tokio::join!(call, cancel);
    assert_eq!((got.status, got.code()), (200, -32_800), "the stream can end");
}

#[tokio::test]
async fn the_end_of_a_session_ends_its_calls() {
    let (engine, scene) = scene();
    let id = scene.initialize().await;
    let call = scene.session(&id, "tools/call", json!({"name": "t"}));
    let end = async {
        let mut running = engine.next().await;
        assert_eq!(
            scene.ask().session(&id).send(Method::DELETE, "").await.status,
            204
        );
        running.abandoned().await;
    };
    let (got, ()) = tokio::join!(call, end);
    assert_eq!(got.code(), -32_800);
}

#[tokio::test(start_paused = true)]
async fn shutdown_waits_for_calls_and_then_ends_them() {
    let (engine, scene) = scene();
    let id = scene.initialize().await;
    let first = scene.session(&id, "tools/call", json!({"name": "t"}));
    let second = scene.modern("tools/call", json!({"name": "t"}));
    let stop = async {
        // The modern call runs within its exchange, the other one as a task, hence later.
        let (mut two, one) = (engine.next().await, engine.next().await);
        let shutdown = scene.server.shutdown(Duration::from_secs(5));
        let late = async {
            let got = scene.modern("tools/list", json!({})).await;
            assert_eq!((got.status, got.code()), (503, -32_603), "no new work is taken");
            assert_eq!(got.header("retry-after"), Some("1"));
            one.answer(Ok(said("in time")));
            two.abandoned().await;
        };
        tokio::join!(shutdown, late);
    };
    let (first, second, ()) = tokio::join!(first, second, stop);
    assert_eq!(first.json()["result"]["content"][0]["text"], "in time");
    assert_eq!(second.code(), -32_800);
    assert_eq!(scene.server.sessions().count().await, 0);
}
