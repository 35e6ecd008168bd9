//! Conversations over byte streams, a message a line.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt as _, time::timeout};
use tooldock_engine::{EngineReply, ToolOutput, testing::EngineMock};
use tooldock_mcp::{Settings, io};

use crate::{
    lifetimes::said,
    peer::Peer,
    scene::{Scene, catalog, enveloped, mock, progress, raw, request},
};

fn scene() -> (Arc<EngineMock>, Scene) {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    (engine, scene)
}

#[tokio::test]
async fn a_session_hears_progress_answers_and_changes() {
    let (engine, scene) = scene();
    let mut peer = Peer::of(&scene);
    peer.open().await;
    peer.write(request(
        1,
        "tools/call",
        json!({"name": "t", "_meta": {"progressToken": "p"}}),
    ))
    .await;
    let running = engine.next().await;
    running.cx.client().notify(progress(1));
    assert_eq!(peer.read().await["params"]["progressToken"], "p");
    assert_eq!(
        peer.ask(2, "ping", json!({})).await["id"],
        2,
        "calls do not block others"
    );
    running.answer(Ok(said("done")));
    assert_eq!(peer.read().await["result"]["content"][0]["text"], "done");
    engine.change(catalog(&["t", "u"]));
    assert_eq!(peer.read().await["method"], "notifications/tools/list_changed");
    assert_eq!(peer.close().await, "");
}

#[tokio::test]
async fn f24_a_message_that_follows_a_call_at_once_cancels_it() {
    for modern in [false, true] {
        let (engine, scene) = scene();
        let mut peer = Peer::of(&scene);
        let dress = |params| if modern { enveloped(params) } else { params };
        if !modern {
            peer.open().await;
        }
        let call = request(1, "tools/call", dress(json!({"name": "t"})));
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": dress(json!({"requestId": 1}))});
        peer.write(format!("{call}\n{cancel}")).await;
        engine.next().await.abandoned().await;
        peer.write(request(2, "server/discover", enveloped(json!({}))))
            .await;
        assert_eq!(peer.read().await["id"], 2, "no answer follows; modern: {modern}");
        assert_eq!(peer.close().await, "");
    }
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_the_conversation_goes_on() {
    let engine = mock(&["t"]);
    let mut settings = Settings::default();
    settings.message_bytes = 200;
    let scene = Scene::of(engine, settings);
    let mut peer = Peer::of(&scene);
    for (text, code) in [
        ("{nonsense".to_owned(), -32_700),
        ("5".to_owned(), -32_600),
        (
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#.to_owned(),
            -32_600,
        ),
        ("x".repeat(5000), -32_600),
    ] {
        peer.write(&text).await;
        let answer = peer.read().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&Value::Null, &json!(code)),
            "{text}: {answer}"
        );
        assert!(
            text.len() < 200 || answer.to_string().contains("MAX_BODY_BYTES"),
            "{answer}"
        );
    }
    peer.open().await;
    assert_eq!(peer.close().await, "");
}

#[tokio::test]
async fn s35_a_message_is_one_line_whatever_a_tool_says() {
    let (engine, scene) = scene();
    let mut peer = Peer::of(&scene);
    peer.write(request(1, "tools/call", enveloped(json!({"name": "t"}))))
        .await;
    let structured = raw("{\"text\":\r\n\"a\\nb\u{2028}c\"\n}");
    let output = ToolOutput {
        structured: Some(structured),
        ..ToolOutput::text("x\r\n{\"jsonrpc\":\"2.0\"}\0")
    };
    engine.next().await.answer(Ok(EngineReply::Tool(output)));
    let answer = peer.read().await;
    assert_eq!(answer["result"]["structuredContent"]["text"], "a\nb\u{2028}c");
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "x\r\n{\"jsonrpc\":\"2.0\"}\0"
    );
    assert_eq!(peer.close().await, "");
}

#[tokio::test(start_paused = true)]
async fn calls_go_on_for_a_while_after_the_client_has_closed_its_end_and_streams_do_not() {
    let (engine, scene) = scene();
    let mut peer = Peer::of(&scene);
    let wanted = enveloped(json!({"notifications": {"toolsListChanged": true}}));
    let acknowledged = peer.ask(1, "subscriptions/listen", wanted).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    for id in [2, 3] {
        peer.write(request(id, "tools/call", enveloped(json!({"name": "t"}))))
            .await;
    }
    let (first, mut second) = (engine.next().await, engine.next().await);
    first.answer(Ok(said("late")));
    let (rest, ()) = tokio::join!(peer.close(), second.abandoned());
    assert!(rest.contains("late") && rest.lines().count() == 1, "{rest}");
}

#[tokio::test(start_paused = true)]
async fn s36_who_does_not_read_is_not_read_from() {
    let (_engine, scene) = scene();
    let mut peer = Peer::of(&scene);
    let ping = format!("{}\n", request(1, "server/discover", enveloped(json!({}))));
    let flood = async {
        loop {
            peer.writer.write_all(ping.as_bytes()).await.unwrap();
        }
    };
    assert!(timeout(Duration::from_secs(60), flood).await.is_err());
    assert!(
        peer.served.try_join_next().is_none(),
        "it waits, and costs what 64 answers cost"
    );
}

#[tokio::test]
async fn too_many_requests_at_once_are_refused_by_name() {
    let (engine, scene) = scene();
    let mut settings = io::IoSettings::default();
    settings.requests = 2;
    let mut peer = Peer::with(&scene, settings);
    for id in 1..4 {
        peer.write(request(id, "tools/call", enveloped(json!({"name": "t"}))))
            .await;
    }
    let refused = peer.read().await;
    assert_eq!(refused["id"], 3);
    assert!(
        refused["error"]["message"]
            .as_str()
            .unwrap()
            .contains("2 requests"),
        "{refused}"
    );
    drop((engine.next().await, engine.next().await));
}
