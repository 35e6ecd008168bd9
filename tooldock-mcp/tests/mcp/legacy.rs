//! The transport of 2024-11-05: one stream brings everything.

use std::{sync::Arc, time::Duration};

use http::Method;
use serde_json::{Value, json};
use tooldock_engine::testing::EngineMock;
use tooldock_mcp::Settings;

use crate::{
    lifetimes::said,
    replay::settle,
    scene::{Events, Got, Scene, catalog, enveloped, mock, offer, progress, request, soon},
};

/// A stream and the address that it has told.
struct Stream {
    events: Events,
    address: String,
}

async fn open(scene: &Scene) -> Stream {
    let mut events = scene.ask().at("/sse").stream(Method::GET, "").await;
    let frame = events.frame().await.unwrap();
    let address = frame.strip_prefix("event: endpoint\ndata: ").unwrap();
    let address = format!("/{}", address.strip_suffix("\n\n").unwrap());
    Stream { events, address }
}

impl Stream {
    async fn post(&self, scene: &Scene, message: Value) -> Got {
        scene.ask().at(&self.address).post(message).await
    }

    /// Sends a request and reads up to its answer.
    async fn ask(&mut self, scene: &Scene, message: Value) -> Value {
        let got = self.post(scene, message.clone()).await;
        assert_eq!((got.status, got.text.as_str()), (202, ""), "{message}");
        loop {
            let read = self.events.message().await.expect("an answer");
            if read["id"] == message["id"] {
                return read;
            }
        }
    }

    async fn initialize(&mut self, scene: &Scene, revision: &str) -> Value {
        self.ask(scene, request(0, "initialize", offer(revision))).await
    }
}

fn scene() -> (Arc<EngineMock>, Scene) {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    (engine, scene)
}

#[tokio::test]
async fn f06_a_stream_begins_with_its_endpoint_and_brings_every_answer() {
    let (engine, scene) = scene();
    for revision in ["2024-11-05", "2025-03-26", "2025-11-25"] {
        let mut stream = open(&scene).await;
        let opened = stream.initialize(&scene, revision).await;
        assert_eq!(opened["result"]["protocolVersion"], revision);
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(stream.post(&scene, told).await.status, 202);
        let list = stream.ask(&scene, request("l", "tools/list", json!({}))).await;
        assert_eq!(list["result"]["tools"][0]["name"], "t");
        let params = json!({"name": "t", "_meta": {"progressToken": 5}});
        assert_eq!(
            stream.post(&scene, request(1, "tools/call", params)).await.status,
            202
        );
        let running = engine.next().await;
        running.cx.client().notify(progress(1));
        running.answer(Ok(said("done")));
        assert_eq!(
            stream.events.message().await.unwrap()["params"]["progressToken"],
            5
        );
        assert_eq!(stream.events.message().await.unwrap()["id"], 1);
        engine.change(catalog(&["t", "u"]));
        assert_eq!(
            stream.events.message().await.unwrap()["method"],
            "notifications/tools/list_changed"
        );
        engine.change(catalog(&["t"]));
    }
}

#[tokio::test(start_paused = true)]
async fn f03_f04_the_stream_is_flushed_and_kept_open() {
    let (_, scene) = scene();
    let mut stream = open(&scene).await;
    assert_eq!(stream.events.headers["x-accel-buffering"], "no");
    assert_eq!(stream.events.headers["cache-control"], "no-cache");
    stream.initialize(&scene, "2024-11-05").await;
    for _ in 0..3 {
        let before = tokio::time::Instant::now();
        assert!(stream.events.frame().await.unwrap().starts_with(": "));
        assert_eq!(before.elapsed(), scene.server.settings().keep_alive);
    }
}

#[tokio::test]
async fn s39_the_endpoint_is_relative_and_its_id_no_credential() {
    let (_, scene) = scene();
    let ask = scene.ask().at("/sse").with("host", "evil.example.com");
    let ask = ask.with("x-forwarded-host", "evil.example.com");
    let mut events = ask.stream(Method::GET, "").await;
    let frame = events.frame().await.unwrap();
    assert!(
        frame.starts_with("event: endpoint\ndata: messages?session_id="),
        "{frame}"
    );
    assert!(!frame.contains("evil"), "{frame}");

    let mut own = open(&scene).await;
    own.initialize(&scene, "2025-11-25").await;
    let ping = request(7, "ping", json!({}));
    let unknown = own.address.replace(|digit: char| digit.is_ascii_digit(), "0");
    let unknown = scene.ask().at(&unknown).post(&ping).await;
    assert_eq!((unknown.status, unknown.code()), (404, -32_600));
    let other = scene.ask_as("bob", "demo").at(&own.address).post(&ping).await;
    assert_eq!(
        (other.status, other.text),
        (404, unknown.text),
        "as if it were unknown"
    );
    assert_eq!(
        own.ask(&scene, ping).await["result"],
        json!({}),
        "the owner notices nothing"
    );
}

#[tokio::test]
async fn what_does_not_belong_here_is_refused() {
    let (_, scene) = scene();
    let mut stream = open(&scene).await;
    let ping = request(1, "ping", json!({}));
    let early = stream.post(&scene, ping.clone()).await;
    assert_eq!(
        (early.status, early.code()),
        (400, -32_600),
        "before `initialize`"
    );
    stream.initialize(&scene, "2025-11-25").await;
    let modern = request(1, "tools/list", enveloped(json!({})));
    let batch = json!([ping.clone()]);
    let twice = format!("{}&session_id=7", stream.address);
    let rows = [
        ("/messages", json!({}), 400, -32_600),
        (&twice, ping.clone(), 400, -32_600),
        ("/messages?session_id=", json!({}), 400, -32_600),
        ("/messages?session_id=7", ping.clone(), 400, -32_600),
        (&stream.address, json!({}), 400, -32_600),
        (&stream.address, modern, 400, -32_600),
        (&stream.address, batch, 400, -32_600),
    ];
    for (path, body, status, code) in rows {
        let got = scene.ask().at(path).post(&body).await;
        assert_eq!((got.status, got.code()), (status, code), "{path} {body}: {got:?}");
    }
    for (path, verb, allowed) in [("/sse", Method::POST, "GET"), ("/messages", Method::GET, "POST")] {
        let got = scene.ask().at(path).send(verb, "").await;
        assert_eq!((got.status, got.header("allow")), (405, Some(allowed)));
        assert_eq!(got.code(), -32_600);
    }
    let typed = scene
        .ask()
        .at(&stream.address)
        .with("mcp-protocol-version", "2025-11-25");
    assert_eq!(
        typed.post(&ping).await.status,
        202,
        "clients send the header here, too"
    );
}

#[tokio::test]
async fn f05_streams_are_independent_and_leave_nothing_behind() {
    let (engine, scene) = scene();
    let mut steady = open(&scene).await;
    steady.initialize(&scene, "2025-11-25").await;
    for round in 0..50 {
        let mut brief = open(&scene).await;
        brief.initialize(&scene, "2024-11-05").await;
        let call = request(1, "tools/call", json!({"name": "t"}));
        assert_eq!(brief.post(&scene, call).await.status, 202);
        let mut running = engine.next().await;
        let address = brief.address.clone();
        drop(brief);
        soon(running.abandoned()).await;
        let late = scene.ask().at(&address).post(request(2, "ping", json!({}))).await;
        assert_eq!(late.status, 404);
        let pong = steady.ask(&scene, request(round, "ping", json!({}))).await;
        assert_eq!(pong["result"], json!({}));
    }
    settle().await;
    assert_eq!(scene.server.sessions().count().await, 1);
    let unused = open(&scene).await;
    let address = unused.address.clone();
    drop(unused);
    let late = request(0, "initialize", offer("2024-11-05"));
    let late = scene.ask().at(&address).post(late).await;
    assert_eq!(
        late.status, 404,
        "no conversation begins where there is no stream"
    );
    drop(steady);
    settle().await;
    assert_eq!(scene.server.sessions().count().await, 0);
}

#[tokio::test(start_paused = true)]
async fn f02_a_stream_without_a_session_ends() {
    let (_, scene) = scene();
    let mut silent = open(&scene).await;
    let mut used = open(&scene).await;
    used.initialize(&scene, "2024-11-05").await;
    tokio::time::advance(scene.server.settings().sessions.uninitialized + Duration::from_secs(1)).await;
    assert_eq!(silent.events.message().await, None);
    assert!(used.events.is_silent(), "it has one");
    let address = silent.address.clone();
    drop(silent);
    let late = request(1, "initialize", offer("2024-11-05"));
    assert_eq!(scene.ask().at(&address).post(late).await.status, 404);
    scene.server.close();
    assert_eq!(used.events.message().await, None, "streams end with the server");
}

#[tokio::test]
async fn the_messages_in_work_are_bounded() {
    let mut settings = Settings::default();
    settings.legacy_messages = 2;
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), settings);
    let mut stream = open(&scene).await;
    stream.initialize(&scene, "2024-11-05").await;
    let call = |id: i64| request(id, "tools/call", json!({"name": "t"}));
    for id in [1, 2] {
        assert_eq!(stream.post(&scene, call(id)).await.status, 202);
    }
    let refused = stream.post(&scene, call(3)).await;
    assert_eq!(refused.status, 503);
    assert!(refused.text.contains("(MCP_LEGACY_MESSAGES)"), "{}", refused.text);
    engine.next().await.answer(Ok(said("done")));
    assert!(stream.events.message().await.unwrap()["result"].is_object());
}
