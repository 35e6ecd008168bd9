//! Clients of the handshake era are asked on the stream of the call.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use tooldock_mcp::InputLimits;

use super::person::{accept, begin, everything, form, modern, open, respond, scene, text};
use crate::scene::{HANDSHAKE, Scene, request};

async fn who(scene: &Scene) -> String {
    open(scene, "ann", HANDSHAKE, everything()).await
}

#[tokio::test]
async fn a_client_is_asked_on_the_stream_of_the_call_and_answers_with_a_message() {
    let scene = scene(InputLimits::default());
    let session = who(&scene).await;
    let mut stream = begin(&scene, &session, "who").await;
    let asked = stream.message().await.unwrap();
    assert_eq!(
        (&asked["method"], &asked["params"]),
        (&json!("elicitation/create"), &form())
    );
    assert_eq!(asked["id"].as_str().map(str::len), Some(32), "128 bits: {asked}");
    let got = respond(&scene, &session, &asked["id"], accept()).await;
    assert_eq!((got.status, &*got.text), (202, ""));
    let answer = stream.message().await.unwrap();
    assert_eq!(
        (text(&answer["result"]), &answer["id"]),
        (&*accept().to_string(), &json!(1))
    );
    assert!(stream.message().await.is_none(), "the answer is the last message");
}

#[tokio::test]
async fn s32_only_the_session_that_is_asked_can_answer() {
    let scene = scene(InputLimits::default());
    let (session, other) = (who(&scene).await, who(&scene).await);
    let foreign = open(&scene, "bob", HANDSHAKE, everything()).await;
    let mut stream = begin(&scene, &session, "who").await;
    let id = stream.message().await.unwrap()["id"].clone();
    let wrong = json!({"action": "accept", "content": {"name": "Mallory"}});
    assert_eq!(respond(&scene, &other, &id, wrong.clone()).await.status, 202);
    assert_eq!(
        respond(&scene, &session, &json!("made up"), wrong.clone())
            .await
            .status,
        202
    );
    let response = json!({"jsonrpc": "2.0", "id": id, "result": wrong});
    let bob = scene.ask_as("bob", "demo");
    assert_eq!(bob.session(&foreign).post(&response).await.status, 202);
    let bob = scene.ask_as("bob", "demo");
    assert_eq!(bob.session(&session).post(&response).await.status, 404);
    assert!(stream.is_silent(), "nobody has answered");
    respond(&scene, &session, &id, accept()).await;
    let answer = stream.message().await.unwrap();
    assert!(text(&answer["result"]).contains("Ann"), "{answer}");
    assert_eq!(
        respond(&scene, &session, &id, accept()).await.status,
        202,
        "a second answer is ignored"
    );
}

#[tokio::test]
async fn several_questions_are_open_at_once() {
    let scene = scene(InputLimits::default());
    let session = who(&scene).await;
    let mut stream = begin(&scene, &session, "all").await;
    let mut asked = Vec::new();
    for _ in 0..3 {
        asked.push(stream.message().await.unwrap());
    }
    for one in asked.iter().rev() {
        respond(&scene, &session, &one["id"], json!({"to": one["method"]})).await;
    }
    let expected = r#"{"to":"elicitation/create"} {"to":"sampling/createMessage"} {"to":"roots/list"}"#;
    assert_eq!(text(&stream.message().await.unwrap()["result"]), expected);
}

#[tokio::test]
async fn a_client_that_refuses_is_told_of() {
    let scene = scene(InputLimits::default());
    let session = who(&scene).await;
    for (outcome, expected) in [
        (json!({"error": {"code": -1, "message": "no\u{7} way"}}), "way"),
        (json!({"error": 7}), "nothing more"),
        (json!({"result": [1]}), "no object"),
    ] {
        let mut stream = begin(&scene, &session, "who").await;
        let mut response = json!({"jsonrpc": "2.0", "id": stream.message().await.unwrap()["id"]});
        response
            .as_object_mut()
            .unwrap()
            .extend(outcome.as_object().unwrap().clone());
        scene.ask().session(&session).post(response).await;
        let answer = stream.message().await.unwrap();
        assert_eq!(answer["result"]["isError"], true);
        assert!(text(&answer["result"]).contains(expected), "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_waits_for_a_limited_time_and_is_withdrawn() {
    let limits = InputLimits {
        timeout: Duration::from_secs(7),
        ..InputLimits::default()
    };
    let scene = scene(limits);
    let session = who(&scene).await;
    let mut stream = begin(&scene, &session, "who").await;
    let asked = stream.message().await.unwrap();
    let withdrawn = stream.message().await.unwrap();
    let cancelled = ("notifications/cancelled", &asked["id"]);
    assert_eq!(
        (
            withdrawn["method"].as_str().unwrap(),
            &withdrawn["params"]["requestId"]
        ),
        cancelled
    );
    let answer = stream.message().await.unwrap();
    let told = text(&answer["result"]);
    assert!(
        told.contains("7 s") && told.contains("INPUT_TIMEOUT_SECONDS"),
        "{told}"
    );
}

#[tokio::test]
async fn a_cancelled_call_withdraws_its_questions() {
    let scene = scene(InputLimits::default());
    let session = who(&scene).await;
    let mut stream = begin(&scene, &session, "who").await;
    let asked = stream.message().await.unwrap();
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    scene.ask().session(&session).post(cancel).await;
    let withdrawn = stream.message().await.unwrap();
    assert_eq!(withdrawn["params"]["requestId"], asked["id"]);
    assert_eq!(stream.message().await.unwrap()["error"]["code"], -32_800);
}

#[tokio::test]
async fn open_questions_of_a_caller_are_limited() {
    let scene = scene(InputLimits {
        per_principal: 2,
        ..InputLimits::default()
    });
    let session = who(&scene).await;
    let mut stream = begin(&scene, &session, "all").await;
    let mut asked = vec![stream.message().await.unwrap(), stream.message().await.unwrap()];
    assert!(stream.is_silent());
    for one in asked.drain(..) {
        respond(&scene, &session, &one["id"], json!({})).await;
    }
    let answer = stream.message().await.unwrap();
    assert!(
        text(&answer["result"]).contains("INPUT_QUESTIONS_PER_PRINCIPAL"),
        "{answer}"
    );
    let mut stream = begin(&scene, &session, "who").await;
    assert_eq!(
        stream.message().await.unwrap()["method"],
        "elicitation/create",
        "places are free again"
    );
}

#[tokio::test]
async fn open_questions_of_all_callers_are_limited() {
    let scene = scene(InputLimits {
        total: 1,
        ..InputLimits::default()
    });
    let session = who(&scene).await;
    let mut stream = begin(&scene, &session, "who").await;
    let asked = stream.message().await.unwrap();
    let bob = async || {
        let got = modern(&scene, "bob", 1, "tools/call", json!({"name": "who"})).await;
        got.json()["result"].clone()
    };
    let refused = bob().await;
    assert!(text(&refused).contains("(INPUT_QUESTIONS)"), "{refused}");
    respond(&scene, &session, &asked["id"], accept()).await;
    stream.message().await.unwrap();
    assert_eq!(
        bob().await["resultType"],
        "input_required",
        "the place is free again"
    );
}

#[tokio::test]
async fn each_revision_is_asked_what_it_knows() {
    let scene = scene(InputLimits::default());
    let session = async |revision: &str| open(&scene, "ann", revision, everything()).await;
    let call = |tool: &str| request(1, "tools/call", json!({"name": tool}));
    let ask = |revision: &str, session: &str| {
        let ask = scene.ask().with("mcp-session-id", session);
        ask.with("mcp-protocol-version", revision)
    };
    let message = async |revision: &str, tool: &str| -> Value {
        let ask = ask(revision, &session(revision).await);
        let mut stream = ask.stream(Method::POST, call(tool)).await;
        stream.message().await.unwrap()
    };
    let old = message("2025-06-18", "who").await;
    assert_eq!(
        old["params"],
        json!({"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}})
    );
    for (revision, tool) in [("2025-06-18", "link"), ("2025-03-26", "who")] {
        let refused = ask(revision, &session(revision).await)
            .post(call(tool))
            .await
            .json();
        assert!(
            text(&refused["result"]).contains("`elicitation/create`"),
            "{refused}"
        );
    }
    let link = message(HANDSHAKE, "link").await;
    assert_eq!(link["params"]["url"], "https://example.org/");
    assert_eq!(link["params"]["elicitationId"].as_str().map(str::len), Some(32));
}

#[tokio::test]
async fn a_client_without_streams_or_capability_is_not_asked() {
    let scene = scene(InputLimits::default());
    let able = who(&scene).await;
    let unable = open(&scene, "ann", HANDSHAKE, json!({"sampling": {}})).await;
    let call = || request(1, "tools/call", json!({"name": "who"}));
    let json = scene
        .ask()
        .session(&able)
        .without("accept")
        .with("accept", "application/json");
    for got in [
        json.post(call()).await,
        scene.ask().session(&unable).post(call()).await,
    ] {
        let result = &got.json()["result"];
        assert_eq!(result["isError"], true);
        assert!(text(result).contains("this client cannot give"), "{got:?}");
    }
}

#[tokio::test]
async fn who_has_opened_a_link_is_told_when_the_call_is_done_with_it() {
    let scene = scene(InputLimits::default());
    let session = who(&scene).await;
    for (action, told) in [("accept", true), ("decline", false)] {
        let mut stream = begin(&scene, &session, "link").await;
        let asked = stream.message().await.unwrap();
        respond(&scene, &session, &asked["id"], json!({"action": action})).await;
        let mut next = stream.message().await.unwrap();
        if told {
            assert_eq!(next["method"], "notifications/elicitation/complete", "{next}");
            assert_eq!(next["params"]["elicitationId"], asked["params"]["elicitationId"]);
            next = stream.message().await.unwrap();
        }
        assert!(text(&next["result"]).contains(action), "{action}: {next}");
    }
}
