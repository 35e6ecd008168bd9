//! Engines that answer with questions, towards clients of the handshake era: they are asked in a loop.

use std::{future::pending, sync::Arc};

use serde_json::{Value, json};
use tooldock_engine::{EngineReply, EngineRequest, testing::EngineMock};
use tooldock_mcp::Settings;

use super::person::{accept, begin, everything, form, open, required, respond, text};
use crate::{
    lifetimes::said,
    scene::{HANDSHAKE, Scene, mock},
};

fn scene() -> (Arc<EngineMock>, Scene) {
    let engine = mock(&["who"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    (engine, scene)
}

/// Answers requests with `reply` of how many there were before, and what they bring.
async fn serve(engine: &EngineMock, reply: impl Fn(usize, Value) -> EngineReply) {
    for round in 0.. {
        let running = engine.next().await;
        let EngineRequest::CallTool(call) = &running.request else {
            panic!("{running:?}")
        };
        let brought = call.answers.as_ref().map_or(json!(null), |answers| {
            let state = answers.state.as_ref().map(|state| state.as_str().to_owned());
            json!({"responses": answers.responses.parse::<Value>().unwrap(), "state": state})
        });
        running.answer(Ok(reply(round, brought)));
    }
    pending::<()>().await;
}

fn both() -> Value {
    json!({
        "who": {"method": "elicitation/create", "params": form()},
        "roots": {"method": "roots/list"},
    })
}

#[tokio::test]
async fn an_engine_that_answers_with_questions_is_asked_again_with_the_answers() {
    let (engine, scene) = scene();
    let session = open(&scene, "ann", HANDSHAKE, everything()).await;
    let replies = serve(&engine, |round, brought| match round {
        0 => required(&both(), Some("1.10")),
        1 => required(&json!({}), Some("2")),
        _ => said(&brought.to_string()),
    });
    let client = async {
        let mut stream = begin(&scene, &session, "who").await;
        for _ in 0..2 {
            let asked = stream.message().await.unwrap();
            let answer = if asked["method"] == "roots/list" {
                json!({"roots": []})
            } else {
                accept()
            };
            respond(&scene, &session, &asked["id"], answer).await;
        }
        stream.message().await.unwrap()
    };
    let answer =
        tokio::select! { answer = client => answer, () = replies => unreachable!("it serves forever") };
    let brought: Value = serde_json::from_str(text(&answer["result"])).unwrap();
    assert_eq!(
        brought,
        json!({"responses": {}, "state": "2"}),
        "a round without questions"
    );
}

#[tokio::test]
async fn a_form_that_is_not_shown_is_declined_and_other_refusals_end_the_call() {
    let (engine, scene) = scene();
    let session = open(&scene, "ann", HANDSHAKE, everything()).await;
    let replies = serve(&engine, |_, brought| match brought {
        Value::Null => required(&both(), None),
        brought => said(&brought["responses"].to_string()),
    });
    let client = async {
        let mut told = Vec::new();
        for refused in ["elicitation/create", "roots/list"] {
            let mut stream = begin(&scene, &session, "who").await;
            for _ in 0..2 {
                let asked = stream.message().await.unwrap();
                let mut response = json!({"jsonrpc": "2.0", "id": asked["id"]});
                match asked["method"] == refused {
                    true => response["error"] = json!({"code": -1, "message": "no"}),
                    false => response["result"] = json!({"roots": []}),
                }
                scene.ask().session(&session).post(response).await;
            }
            let mut last = stream.message().await.unwrap();
            while last["result"].is_null() {
                last = stream.message().await.unwrap();
            }
            told.push(text(&last["result"]).to_owned());
        }
        told
    };
    let told = tokio::select! { told = client => told, () = replies => unreachable!("it serves forever") };
    let declined: Value = serde_json::from_str(&told[0]).unwrap();
    assert_eq!(declined["who"], json!({"action": "decline"}));
    assert!(told[1].contains("`roots/list`"), "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn s41_an_engine_that_never_stops_asking_is_stopped() {
    let (engine, scene) = scene();
    let replies = serve(&engine, |round, _| {
        assert!(round <= 10, "it is asked again");
        required(&json!({}), Some("1"))
    });
    let session = open(&scene, "ann", HANDSHAKE, everything()).await;
    let call = scene.session(&session, "tools/call", json!({"name": "who"}));
    let got = tokio::select! { got = call => got, () = replies => unreachable!("it serves forever") };
    assert!(got.text.contains("asked 10 times"), "{got:?}");
}

#[tokio::test]
async fn a_client_that_cannot_answer_hears_which_answer_is_missing() {
    let (engine, scene) = scene();
    let session = open(&scene, "ann", HANDSHAKE, json!({"elicitation": {}})).await;
    let replies = serve(&engine, |_, _| {
        required(&json!({"r": {"method": "roots/list"}}), None)
    });
    let call = scene.session(&session, "tools/call", json!({"name": "who"}));
    let got = tokio::select! { got = call => got, () = replies => unreachable!("it serves forever") };
    assert!(got.text.contains("`roots/list`"), "{got:?}");
    assert_eq!(got.json()["result"]["isError"], true);
}
