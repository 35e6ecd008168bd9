//! Streams of sessions outlive their connections: a client that comes back misses nothing and gets nothing that is not its own.

use std::{sync::Arc, time::Duration};

use http::Method;
use serde_json::{Value, json};
use tooldock_engine::{
    context::LogLevel,
    testing::{Answering, EngineMock},
};
use tooldock_mcp::{Settings, stream::ReplayLimits};

use crate::{
    lifetimes::said,
    scene::{Events, HANDSHAKE, Scene, catalog, log, mock, offer, progress, request, soon},
};

fn scene(settings: Settings) -> (Arc<EngineMock>, Scene) {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), settings);
    (engine, scene)
}

/// Calls the tool as request `id` and gives back its stream, which a first note has opened.
async fn call(engine: &EngineMock, scene: &Scene, session: &str, id: i64) -> (Events, Answering) {
    let params = json!({"name": "t", "_meta": {"progressToken": id}});
    let ask = scene.ask().session(session);
    let open = ask.stream(Method::POST, request(id, "tools/call", params));
    let run = async {
        let running = engine.next().await;
        running.cx.client().notify(progress(1));
        running
    };
    tokio::join!(open, run)
}

async fn resume(scene: &Scene, session: &str, last: &str) -> Events {
    scene
        .ask()
        .session(session)
        .with("last-event-id", last)
        .events()
        .await
}

/// The id of the priming event, and those of all messages up to the first that `is_last`.
async fn read(events: &mut Events, is_last: impl Fn(&Value) -> bool) -> Vec<(String, Value)> {
    let mut read = Vec::new();
    while let Some((id, message)) = events.event().await {
        let last = is_last(&message);
        read.push((id.expect("every event has an id"), message));
        if last {
            break;
        }
    }
    read
}

/// Lets the tasks of the server do what they can.
pub(crate) async fn settle() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

fn is_progress(message: &Value) -> bool {
    message["method"] == "notifications/progress"
}

fn is_answer(message: &Value) -> bool {
    message["result"].is_object()
}

#[tokio::test]
async fn s38_the_answer_of_a_broken_stream_waits_for_its_client() {
    let (engine, scene) = scene(Settings::default());
    let session = scene.initialize().await;
    let (mut events, running) = call(&engine, &scene, &session, 7).await;
    let first = read(&mut events, is_progress).await;
    drop(events);
    running.cx.client().notify(progress(2));
    running.answer(Ok(said("done")));

    let mut again = resume(&scene, &session, &first[0].0).await;
    let rest = read(&mut again, is_answer).await;
    assert_eq!(rest.len(), 2, "{rest:?}");
    assert_eq!(rest[0].1["params"]["progress"], 2);
    assert_eq!(rest[1].1["id"], 7);
    assert_eq!(again.event().await, None, "the answer ends the stream");
    let mut once_more = resume(&scene, &session, &rest[0].0).await;
    assert_eq!(
        read(&mut once_more, is_answer).await,
        rest[1..],
        "any number of times"
    );
}

#[tokio::test]
async fn s34_replay_never_crosses_streams_and_sessions() {
    let (engine, scene) = scene(Settings::default());
    let sessions = [scene.initialize().await, scene.initialize().await];
    // Two broken calls in each session, each with one more note than its client has seen.
    let mut streams = Vec::new();
    for (owner, session) in sessions.iter().enumerate() {
        for id in [10 * owner as i64 + 1, 10 * owner as i64 + 2] {
            let (mut events, running) = call(&engine, &scene, session, id).await;
            let seen = read(&mut events, is_progress).await;
            drop(events);
            running.answer(Ok(said("done")));
            streams.push((owner, id, seen[0].0.clone()));
        }
    }
    for (asking, session) in sessions.iter().enumerate() {
        for (owner, id, last) in &streams {
            let mut events = resume(&scene, session, last).await;
            if asking == *owner {
                let got = read(&mut events, is_answer).await;
                assert!(got.len() == 1 && got[0].1["id"] == *id, "its own rest: {got:?}");
            } else {
                assert!(events.is_silent(), "another session's id is an invented one");
            }
        }
    }
}

#[tokio::test]
async fn s34_an_invented_id_begins_a_new_stream() {
    let (engine, scene) = scene(Settings::default());
    let session = scene.initialize().await;
    let (mut events, running) = call(&engine, &scene, &session, 1).await;
    let (last, _) = read(&mut events, is_progress).await.remove(0);
    running.answer(Ok(said("done")));
    read(&mut events, is_answer).await;
    let (stream, _) = last.split_once('-').unwrap();
    let invented = [
        "s3-1",
        "",
        "-",
        "0",
        &"9".repeat(5000),
        &format!("{stream}-99"),
        &format!("{stream}-01"),
        &format!("{stream}-+1"),
        &format!("{stream}-18446744073709551616"),
        &format!("{stream}-1-1"),
        &stream.to_uppercase(),
        "0000000000000000-0",
    ];
    for id in invented {
        let mut events = resume(&scene, &session, id).await;
        assert!(events.is_silent(), "{id}");
        engine.change(catalog(&["t", "u"]));
        engine.change(catalog(&["t"]));
        drop(events);
    }
}

#[tokio::test]
async fn notices_are_replayed_on_their_stream_and_go_on() {
    let (engine, scene) = scene(Settings::default());
    let session = scene.initialize().await;
    let mut stream = scene.watch(&session).await;
    assert!(stream.is_silent());
    engine.change(catalog(&["t", "u"]));
    let (first, told) = stream.event().await.unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed");
    drop(stream);
    let (beginning, _) = first.as_deref().unwrap().split_once('-').unwrap();

    let mut again = resume(&scene, &session, &format!("{beginning}-0")).await;
    assert_eq!(
        again.event().await.unwrap(),
        (first.clone(), told.clone()),
        "replayed"
    );
    assert!(again.is_silent(), "once");
    engine.change(catalog(&["t"]));
    let (second, _) = again.event().await.unwrap();
    assert_eq!(second, Some(format!("{beginning}-2")), "and goes on");
}

#[tokio::test]
async fn who_comes_back_takes_over_from_a_connection_that_seems_open() {
    let (engine, scene) = scene(Settings::default());
    let session = scene.initialize().await;
    let (mut stale, running) = call(&engine, &scene, &session, 1).await;
    let seen = read(&mut stale, is_progress).await;
    // Nobody reads the old connection any more, and it has not been closed.
    running.cx.client().notify(progress(2));
    running.cx.client().notify(progress(3));
    running.cx.client().notify(log(LogLevel::Info, "l"));
    let mut events = resume(&scene, &session, &seen[0].0).await;
    running.answer(Ok(said("done")));
    let rest = read(&mut events, is_answer).await;
    let kinds: Vec<_> = rest
        .iter()
        .map(|(_, message)| message["params"]["progress"].clone())
        .collect();
    assert_eq!(kinds, [json!(2), json!(3), json!(null), json!(null)], "each once");
    assert_eq!(stale.event().await, None, "the old connection ends");

    let (mut old, session) = (scene.watch(&session).await, session);
    engine.change(catalog(&["t", "u"]));
    let (id, _) = old.event().await.unwrap();
    let mut new = resume(&scene, &session, &id.unwrap()).await;
    engine.change(catalog(&["t"]));
    assert_eq!(old.event().await, None, "one connection carries a stream");
    assert!(new.event().await.is_some());
}

#[tokio::test]
async fn s37_a_gap_is_reported() {
    let mut settings = Settings::default();
    settings.replay.events = 2;
    let (engine, scene) = scene(settings);
    let session = scene.initialize().await;
    let (mut events, running) = call(&engine, &scene, &session, 1).await;
    let seen = read(&mut events, is_progress).await;
    drop(events);
    for number in 2..=4 {
        running.cx.client().notify(progress(number));
    }
    running.answer(Ok(said("done")));
    settle().await;
    let mut again = resume(&scene, &session, &seen[0].0).await;
    let got = read(&mut again, is_answer).await;
    let told: Vec<_> = got.iter().map(|(_, message)| message["method"].clone()).collect();
    assert_eq!(
        told,
        [
            json!("notifications/message"),
            json!("notifications/progress"),
            json!(null)
        ]
    );
    let report = &got[0].1["params"];
    assert_eq!(
        (&report["level"], &report["logger"]),
        (&json!("warning"), &json!("tooldock"))
    );
    assert!(
        report["data"].as_str().unwrap().starts_with("2 messages"),
        "{report}"
    );
    let mut further = resume(&scene, &session, &got[0].0).await;
    assert_eq!(
        read(&mut further, is_answer).await,
        got[1..],
        "the gap is told once"
    );
}

#[tokio::test]
async fn s37_an_answer_that_was_not_kept_is_an_error() {
    let mut settings = Settings::default();
    settings.replay.bytes = 1000;
    let (engine, scene) = scene(settings);
    let session = scene.initialize().await;
    let (mut events, running) = call(&engine, &scene, &session, 5).await;
    let seen = read(&mut events, is_progress).await;
    drop(events);
    running.answer(Ok(said(&"x".repeat(2000))));
    settle().await;
    let mut again = resume(&scene, &session, &seen[0].0).await;
    let error = loop {
        let (_, message) = again.event().await.expect("it is told");
        if message["error"].is_object() {
            break message;
        }
    };
    assert_eq!(
        (&error["id"], &error["error"]["code"]),
        (&json!(5), &json!(-32_603))
    );
    assert!(
        error["error"]["message"]
            .as_str()
            .unwrap()
            .contains("MCP_REPLAY_BYTES")
    );
    assert_eq!(again.event().await, None);

    let (mut read_on, running) = call(&engine, &scene, &session, 6).await;
    running.answer(Ok(said(&"x".repeat(2000))));
    assert!(
        read(&mut read_on, is_answer)
            .await
            .last()
            .is_some_and(|(_, answer)| answer["id"] == 6),
        "who reads gets it, however large"
    );
}

#[tokio::test(start_paused = true)]
async fn only_the_latest_revision_of_the_era_is_primed_and_polls() {
    for revision in ["2025-03-26", "2025-06-18", HANDSHAKE] {
        let mut settings = Settings::default();
        settings.poll_after = Some(Duration::from_secs(5));
        let (engine, scene) = scene(settings);
        let session = scene.initialize_in(revision).await;
        let (mut events, running) = call(&engine, &scene, &session, 1).await;
        let first = events.frame().await.unwrap();
        let polls = revision == HANDSHAKE;
        assert_eq!(first.starts_with("id: "), polls, "{revision}: {first}");
        if polls {
            assert!(first.ends_with("-0\nretry: 1000\ndata: \n\n"), "{first:?}");
        }
        let seen = read(&mut events, is_progress).await;
        let end = tokio::time::timeout(Duration::from_secs(6), events.event()).await;
        assert_eq!(
            end.is_ok(),
            polls,
            "{revision}: the connection ends before the answer"
        );
        running.answer(Ok(said("done")));
        if polls {
            events = resume(&scene, &session, &seen[0].0).await;
        }
        assert_eq!(read(&mut events, is_answer).await.len(), 1, "{revision}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_call_polls_as_well() {
    let mut settings = Settings::default();
    settings.poll_after = Some(Duration::from_secs(1));
    let (engine, scene) = scene(settings);
    let session = scene.initialize().await;
    let ask = scene.ask().session(&session);
    let open = ask.stream(Method::POST, request(1, "tools/call", json!({"name": "t"})));
    let begin = tokio::time::Instant::now();
    let (mut events, running) = tokio::join!(open, engine.next());
    assert_eq!(
        begin.elapsed(),
        Duration::from_secs(1),
        "it does not wait for the keep-alive"
    );
    let primed = events.frame().await.unwrap();
    let id = primed.strip_prefix("id: ").unwrap().lines().next().unwrap();
    assert_eq!(
        events.message().await,
        None,
        "the connection ends before the answer"
    );
    let mut events = resume(&scene, &session, id).await;
    running.answer(Ok(said("done")));
    assert_eq!(read(&mut events, is_answer).await.len(), 1);
}

#[tokio::test]
async fn s33_an_ended_session_leaves_no_events() {
    let events = Arc::new(tooldock_mcp::stream::MemoryEvents::new(ReplayLimits::default()));
    let engine = mock(&["t"]);
    let scene = Scene::with_events(engine.clone(), events.clone());
    let session = scene.initialize().await;
    let (mut stream, mut running) = call(&engine, &scene, &session, 1).await;
    read(&mut stream, is_progress).await;
    assert!(!events.is_empty());
    let ended = scene.ask().session(&session).send(Method::DELETE, "").await;
    assert_eq!(ended.status, 204);
    soon(running.abandoned()).await;
    assert_eq!(stream.event().await.unwrap().1["error"]["code"], -32_800);
    assert_eq!(stream.event().await, None);
    assert!(events.is_empty());

    let session = scene.initialize().await;
    let (mut stream, running) = call(&engine, &scene, &session, 1).await;
    running.answer(Ok(said("done")));
    read(&mut stream, is_answer).await;
    assert!(!events.is_empty(), "kept, as the session goes on");
    scene.ask().session(&session).send(Method::DELETE, "").await;
    assert!(events.is_empty(), "nothing ran that could have cleared them");
}

#[tokio::test]
async fn modern_events_have_no_ids() {
    let scene = Scene::new();
    let params = json!({"name": "talk", "_meta": {"progressToken": 1}});
    let got = scene.modern("tools/call", params).await;
    assert!(got.events().len() > 1 && !got.text.contains("id: "), "{got:?}");
    let offer = scene.ask().post(request(0, "initialize", offer(HANDSHAKE))).await;
    assert_eq!(offer.header("content-type"), Some("application/json"));
}

#[tokio::test(start_paused = true)]
async fn s36_a_reader_that_stops_is_left_and_may_come_back() {
    let (engine, scene) = scene(Settings::default());
    let session = scene.initialize().await;
    let (mut stopped, running) = call(&engine, &scene, &session, 1).await;
    let seen = read(&mut stopped, is_progress).await;
    for number in 2..=10 {
        running.cx.client().notify(progress(number));
        tokio::time::sleep(Duration::from_secs(10)).await;
    }
    running.answer(Ok(said("done")));
    tokio::time::sleep(Duration::from_secs(1)).await;
    let left = read(&mut stopped, is_answer).await;
    assert!(
        left.len() < 9 && !left.iter().any(|(_, message)| is_answer(message)),
        "{left:?}"
    );
    let mut again = resume(&scene, &session, &seen[0].0).await;
    assert_eq!(read(&mut again, is_answer).await.len(), 10, "nothing is lost");
}
