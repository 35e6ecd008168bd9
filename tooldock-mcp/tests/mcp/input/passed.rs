//! Engines that answer with questions and keep no state: it is sealed, and the engine begins anew with it.

use std::sync::Arc;

use serde_json::{Value, json};
use tooldock_engine::{EngineRequest, request::Answers, testing::EngineMock};
use tooldock_mcp::{InputLimits, Settings};

use super::person::{accept, again, form, modern, required, text};
use crate::{
    lifetimes::said,
    scene::{Got, Scene, mock},
};

fn who() -> Value {
    json!({"who": {"method": "elicitation/create", "params": form()}})
}

fn scene(limits: InputLimits) -> (Arc<EngineMock>, Scene) {
    let engine = mock(&["who"]);
    let mut settings = Settings::default();
    settings.input = limits;
    (engine.clone(), Scene::of(engine, settings))
}

/// One request, to which the engine gives `reply`; and what the engine was given.
async fn exchange(
    engine: &EngineMock,
    request: impl Future<Output = Got>,
    reply: tooldock_engine::EngineReply,
) -> (Value, Option<Answers>) {
    let (got, answers) = tokio::join!(request, async {
        let running = engine.next().await;
        let EngineRequest::CallTool(call) = &running.request else {
            panic!("{running:?}")
        };
        let answers = call.answers.clone();
        running.answer(Ok(reply));
        answers
    });
    (got.json(), answers)
}

fn first(scene: &Scene) -> impl Future<Output = Got> {
    modern(scene, "ann", 1, "tools/call", json!({"name": "who"}))
}

#[tokio::test]
async fn s41_state_of_an_engine_is_sealed_and_comes_back_as_it_was() {
    let (engine, scene) = scene(InputLimits::default());
    let secret = r#"{"step": 1.10}"#;
    let (asked, none) = exchange(&engine, first(&scene), required(&who(), Some(secret))).await;
    assert!(none.is_none());
    assert_eq!(asked["result"]["inputRequests"], who());
    let state = &asked["result"]["requestState"];
    assert!(!asked.to_string().contains("step"), "{asked}");
    let responses = json!({"who": accept(), "more": {}});
    let back = again(&scene, "who", state, responses.clone());
    let (done, given) = exchange(&engine, back, said("done").clone()).await;
    assert_eq!(text(&done["result"]), "done");
    let given = given.unwrap();
    assert_eq!(given.state.unwrap().as_str(), secret, "byte for byte");
    assert_eq!(given.responses.parse::<Value>().unwrap(), responses);
    assert_eq!(
        again(&scene, "who", state, json!({})).await.code(),
        -32_602,
        "a replay"
    );
    let params = json!({"name": "who", "requestState": state});
    assert_eq!(
        modern(&scene, "bob", 1, "tools/call", params).await.code(),
        -32_602
    );
}

#[tokio::test]
async fn s41_rounds_are_counted_under_the_seal_and_limited() {
    let (engine, scene) = scene(InputLimits {
        rounds: 2,
        ..InputLimits::default()
    });
    let (mut asked, _) = exchange(&engine, first(&scene), required(&who(), None)).await;
    for round in 0..2 {
        assert_eq!(
            asked["result"]["resultType"], "input_required",
            "{round}: {asked}"
        );
        let state = asked["result"]["requestState"].clone();
        let back = again(&scene, "who", &state, json!({"who": accept()}));
        (asked, _) = exchange(&engine, back, required(&who(), None)).await;
    }
    assert_eq!(asked["result"]["isError"], true);
    assert!(text(&asked["result"]).contains("asked 2 times"), "{asked}");
}

#[tokio::test]
async fn questions_that_a_client_cannot_answer_are_not_passed_on() {
    let (engine, scene) = scene(InputLimits::default());
    let sampling = json!({"m": {"method": "sampling/createMessage", "params": {}}});
    for (requests, expected) in [
        (sampling, "`sampling/createMessage`"),
        (json!({"m": {"method": "made/up"}}), "no question"),
        (json!([1]), "no question"),
    ] {
        let declared = json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
        let call = modern(
            &scene,
            "ann",
            1,
            "tools/call",
            json!({"name": "who", "_meta": declared}),
        );
        let (got, _) = exchange(&engine, call, required(&requests, Some("1"))).await;
        assert!(text(&got["result"]).contains(expected), "{got}");
    }
}

#[tokio::test(start_paused = true)]
async fn tickets_of_a_caller_are_limited_and_expire() {
    let (engine, scene) = scene(InputLimits {
        per_principal: 1,
        ..InputLimits::default()
    });
    let (held, _) = exchange(&engine, first(&scene), required(&who(), None)).await;
    let (refused, _) = exchange(&engine, first(&scene), required(&who(), None)).await;
    assert!(
        text(&refused["result"]).contains("INPUT_QUESTIONS_PER_PRINCIPAL"),
        "{refused}"
    );
    tokio::time::sleep(InputLimits::default().timeout * 2).await;
    let late = again(&scene, "who", &held["result"]["requestState"], json!({})).await;
    assert_eq!(late.code(), -32_602);
    let (asked, _) = exchange(&engine, first(&scene), required(&who(), None)).await;
    assert_eq!(
        asked["result"]["resultType"], "input_required",
        "the place is free again"
    );
}
