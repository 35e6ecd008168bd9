//! Batches, which 2025-03-26 has and no other revision.

use serde_json::{Value, json};
use tooldock_mcp::Settings;

use crate::scene::{Got, Scene, mock, offer, progress, request};

const REVISION: &str = "2025-03-26";

fn told(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": method})
}

fn call(id: impl Into<Value>, tool: &str) -> Value {
    request(id, "tools/call", json!({"name": tool}))
}

async fn send(scene: &Scene, session: &str, batch: Value) -> Got {
    scene.ask().with("mcp-session-id", session).post(batch).await
}

/// The id and the code of each answer; 0 for a result.
fn answers(got: &Got) -> Vec<(Value, i64)> {
    let answers = got.json().as_array().expect("an array").clone();
    let read = |answer: &Value| {
        (
            answer["id"].clone(),
            answer["error"]["code"].as_i64().unwrap_or(0),
        )
    };
    answers.iter().map(read).collect()
}

#[tokio::test]
async fn s48_each_message_of_a_batch_counts_for_itself() {
    let scene = Scene::new();
    let session = scene.initialize_in(REVISION).await;
    let mut claim = request("claim", "tools/list", json!({}));
    claim["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let batch = json!([
        request(1, "ping", json!({})),
        call("two", "echo"),
        told("notifications/initialized"),
        request(3, "initialize", offer(REVISION)),
        request(4, "no/such", json!({})),
        {"jsonrpc": "2.0", "id": null, "method": "ping"},
        7,
        [],
        claim,
        {"jsonrpc": "2.0", "id": 9, "result": {}},
    ]);
    let got = send(&scene, &session, batch).await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, Some("application/json"))
    );
    let expected = [
        (json!(1), 0),
        (json!("two"), 0),
        (json!(3), -32_600),
        (json!(4), -32_601),
        (json!(null), -32_600),
        (json!(null), -32_600),
        (json!(null), -32_600),
        (json!("claim"), -32_600),
    ];
    assert_eq!(answers(&got), expected, "{}", got.text);
}

#[tokio::test]
async fn a_batch_that_asks_for_nothing_is_accepted() {
    let scene = Scene::new();
    let session = scene.initialize_in(REVISION).await;
    let batch = json!([told("notifications/initialized"), told("initialized")]);
    let got = send(&scene, &session, batch).await;
    assert_eq!((got.status, got.text.as_str()), (202, ""));
}

#[tokio::test]
async fn s48_the_size_of_a_batch_is_bounded() {
    let scene = Scene::new();
    let session = scene.initialize_in(REVISION).await;
    let most = scene.server.settings().batch_messages;
    for (messages, status) in [(0, 400), (most, 202), (most + 1, 400)] {
        let batch = vec![told("notifications/initialized"); messages];
        let got = send(&scene, &session, json!(batch)).await;
        assert_eq!(got.status, status, "{messages}: {got:?}");
        let named = got.text.contains("(MCP_BATCH_MESSAGES)");
        assert_eq!(named, messages > most, "{}", got.text);
    }
}

#[tokio::test]
async fn s48_no_other_revision_has_batches() {
    let scene = Scene::new();
    for revision in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let session = scene.initialize_in(revision).await;
        let got = send(&scene, &session, json!([request(1, "ping", json!({}))])).await;
        assert_eq!((got.status, got.code()), (400, -32_600), "{revision}");
    }
}

#[tokio::test]
async fn a_batch_with_a_call_that_tells_something_is_a_stream() {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    let session = scene.initialize_in(REVISION).await;
    let call = |id: i64| {
        let params = json!({"name": "t", "_meta": {"progressToken": id}});
        request(id, "tools/call", params)
    };
    let answer = async {
        let (first, second) = (engine.next().await, engine.next().await);
        first.cx.client().notify(progress(1));
        second.answer(Ok(crate::lifetimes::said("two")));
        first.answer(Ok(crate::lifetimes::said("one")));
    };
    let batch = json!([call(1), call(2), request(3, "ping", json!({}))]);
    let (got, ()) = tokio::join!(send(&scene, &session, batch), answer);
    let events = got.events();
    let ids: Vec<&Value> = events.iter().map(|event| &event["id"]).collect();
    assert_eq!(ids.len(), 4, "{events:?}");
    for id in [json!(1), json!(2), json!(3), json!(null)] {
        assert!(ids.contains(&&id), "{id} in {events:?}");
    }
    assert!(got.text.contains("id: "), "it can be resumed");
}
