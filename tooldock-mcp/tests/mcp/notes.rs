//! What a running call tells its client, and how it travels.

use axum::body::BodyDataStream;
use futures_util::StreamExt as _;
use http::Method;
use serde_json::{Value, json};
use tooldock_engine::context::LogLevel;
use tooldock_mcp::Settings;

use crate::{
    lifetimes::said,
    scene::{Got, MODERN, Scene, enveloped, log, mock, progress, request},
};

fn token(value: Value) -> Value {
    json!({"name": "talk", "_meta": {"progressToken": value}})
}

fn methods(got: &Got) -> Vec<String> {
    let name = |message: &Value| message["method"].as_str().unwrap_or("answer").to_owned();
    got.events().iter().map(name).collect()
}

const PROGRESS: &str = "notifications/progress";
const MESSAGE: &str = "notifications/message";

#[tokio::test]
async fn a_modern_client_hears_what_it_asks_for() {
    let scene = Scene::new();
    let silent = scene.modern("tools/call", json!({"name": "talk"})).await;
    assert_eq!(
        silent.header("content-type"),
        Some("application/json"),
        "nothing was asked for"
    );

    let got = scene.modern("tools/call", token(json!("p"))).await;
    assert_eq!(methods(&got), [PROGRESS, PROGRESS, "answer"]);
    assert_eq!(
        got.events()[0],
        json!({"jsonrpc": "2.0", "method": PROGRESS, "params": {
            "progressToken": "p", "progress": 1, "total": 9, "message": "working"}})
    );
    assert_eq!(
        (got.header("x-accel-buffering"), got.header("cache-control")),
        (Some("no"), Some("no-cache"))
    );

    for (level, expected) in [("debug", 2), ("info", 1), ("error", 0)] {
        let meta = json!({"io.modelcontextprotocol/logLevel": level});
        let got = scene
            .modern("tools/call", json!({"name": "talk", "_meta": meta}))
            .await;
        if expected == 0 {
            assert_eq!(got.header("content-type"), Some("application/json"), "{level}");
            continue;
        }
        assert_eq!(
            methods(&got).iter().filter(|method| *method == MESSAGE).count(),
            expected,
            "{level}"
        );
        let params = json!({"level": "info", "logger": "t", "data": "line\nbreak"});
        assert_eq!(got.events()[0]["params"], params);
    }
}

#[tokio::test]
async fn f25_progress_tokens_come_back_as_they_were_sent() {
    let scene = Scene::new();
    for value in [json!("7"), json!(7), json!(9_007_199_254_740_993_i64)] {
        let got = scene.modern("tools/call", token(value.clone())).await;
        assert_eq!(got.events()[0]["params"]["progressToken"], value);
    }
    for value in [json!(1.5), json!({}), json!(null)] {
        let got = scene.modern("tools/call", token(value.clone())).await;
        assert_eq!((got.status, got.code()), (200, -32_602), "{value}");
    }
}

#[tokio::test]
async fn a_session_has_its_own_log_level() {
    let scene = Scene::new();
    let (id, other) = (scene.initialize().await, scene.initialize().await);
    let call = async |id: &str| scene.session(id, "tools/call", json!({"name": "talk"})).await;
    assert_eq!(
        methods(&call(&id).await),
        [MESSAGE, "answer"],
        "`info` until the client says otherwise"
    );
    for (level, expected) in [
        ("debug", vec![MESSAGE, MESSAGE, "answer"]),
        ("info", vec![MESSAGE, "answer"]),
    ] {
        let set = scene
            .session(&id, "logging/setLevel", json!({"level": level}))
            .await;
        assert_eq!(set.json()["result"], json!({}));
        assert_eq!(methods(&call(&id).await), expected);
    }
    scene
        .session(&id, "logging/setLevel", json!({"level": "emergency"}))
        .await;
    assert_eq!(call(&id).await.header("content-type"), Some("application/json"));
    assert_eq!(
        methods(&call(&other).await).len(),
        2,
        "the level is its session's alone"
    );
}

#[tokio::test]
async fn a_client_that_takes_no_stream_gets_json() {
    let scene = Scene::new();
    let ask = scene.ask().without("accept").with("accept", "application/json");
    let ask = ask
        .with("mcp-protocol-version", MODERN)
        .with("mcp-method", "tools/call")
        .with("mcp-name", "talk");
    let got = ask
        .post(request(1, "tools/call", enveloped(token(json!(1)))))
        .await;
    assert_eq!(got.json()["result"]["content"][0]["text"], "said");

    // A session hears log notes from `info` on without asking, but only where they can travel.
    let id = scene.initialize().await;
    let ask = scene
        .ask()
        .session(&id)
        .without("accept")
        .with("accept", "application/json");
    let got = ask.post(request(1, "tools/call", token(json!(1)))).await;
    assert_eq!(got.json()["result"]["content"][0]["text"], "said");
}

async fn frame(body: &mut BodyDataStream) -> String {
    let frame = body.next().await.expect("a frame").expect("no error");
    String::from_utf8(frame.to_vec()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn notes_travel_when_they_are_told_and_silence_is_filled() {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    let params =
        json!({"name": "t", "_meta": {"progressToken": 1, "io.modelcontextprotocol/logLevel": "info"}});
    let ask = scene
        .ask()
        .with("mcp-protocol-version", MODERN)
        .with("mcp-method", "tools/call")
        .with("mcp-name", "t");
    let exchange = ask.open(Method::POST, request(1, "tools/call", enveloped(params)));
    let first = async {
        let running = engine.next().await;
        running.cx.client().notify(progress(1));
        running
    };
    let (response, running) = tokio::join!(exchange, first);
    let mut body = response.into_body().into_data_stream();
    assert!(frame(&mut body).await.contains(r#""progress":1"#));
    let begin = tokio::time::Instant::now();
    assert!(frame(&mut body).await.starts_with(": "), "a comment");
    assert_eq!(begin.elapsed(), scene.server.settings().keep_alive);
    running.cx.client().notify(log(LogLevel::Error, "x"));
    assert!(frame(&mut body).await.contains(r#""level":"error""#));
    running.cx.client().notify(progress(2));
    running.answer(Ok(said("done")));
    assert!(
        frame(&mut body).await.contains(r#""progress":2"#),
        "before the answer"
    );
    assert!(frame(&mut body).await.contains(r#""resultType":"complete""#));
    assert!(body.next().await.is_none(), "the answer is the last event");
}

#[tokio::test]
async fn s36_a_client_that_does_not_read_costs_a_bounded_queue_and_gets_its_answer() {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    let id = scene.initialize().await;
    let params = json!({"name": "t", "_meta": {"progressToken": 1}});
    let exchange = scene
        .ask()
        .session(&id)
        .open(Method::POST, request(1, "tools/call", params));
    let flood = async {
        let running = engine.next().await;
        for value in 0..10_000 {
            running.cx.client().notify(progress(value));
        }
        running.answer(Ok(said("done")));
    };
    let (response, ()) = tokio::join!(exchange, flood);
    let frames: Vec<_> = response.into_body().into_data_stream().collect().await;
    assert!((60..=70).contains(&frames.len()), "{} frames", frames.len());
    let last = frames.last().unwrap().as_ref().unwrap();
    assert!(std::str::from_utf8(last).unwrap().contains("done"));
}
