//! Clients of the modern era get the questions as an answer, and the call waits until they come back.

use std::{
    sync::{Arc, RwLock},
    time::Duration,
};

use serde_json::{Value, json};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::{
    CallContext, Caller, Catalog, Changes, EngineError, EngineReply, ErrorKind, Mount, Mounts, NamespaceName,
    RawJson, ToolEngine,
    catalog::{Prompt, Resource},
    context::{Ask, AskKind},
    error::Result,
    output::{PromptOutput, ResourceOutput},
    testing::{Answering, EngineMock},
};
use tooldock_mcp::{InputLimits, Settings};

use super::person::{accept, again, call, form, modern, scene, text};
use crate::{
    lifetimes::said,
    scene::{Scene, mock, progress, raw},
};

fn who() -> Value {
    json!({"who": {"method": "elicitation/create", "params": form()}})
}

/// The next call, which asks who; and the answer that it waits for.
async fn asking(engine: &EngineMock) -> (Answering, AbortOnDropHandle<Result<RawJson>>) {
    let running = engine.next().await;
    let client = running.cx.client().clone();
    let ask = Ask::new(AskKind::ElicitForm, form().into()).with_key("who");
    let answer = TaskTracker::new().spawn(async move { client.ask(ask).await });
    (running, AbortOnDropHandle::new(answer))
}

fn of_mock() -> (Arc<EngineMock>, Scene) {
    let engine = mock(&["who"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    (engine, scene)
}

#[tokio::test]
async fn a_call_that_asks_goes_on_when_its_client_comes_back() {
    let scene = scene(InputLimits::default());
    let asked = call(&scene, "who").await;
    assert_eq!(
        (&asked["resultType"], &asked["inputRequests"]),
        (&json!("input_required"), &who())
    );
    assert!(asked["_meta"]["io.modelcontextprotocol/serverInfo"].is_object());
    let got = again(&scene, "who", &asked["requestState"], json!({"who": accept()})).await;
    let result = &got.json()["result"];
    assert_eq!(
        (text(result), &result["resultType"], &got.json()["id"]),
        (&*accept().to_string(), &json!("complete"), &json!(2))
    );
}

#[tokio::test]
async fn several_questions_come_together_and_those_without_an_answer_again() {
    let scene = scene(InputLimits::default());
    let asked = call(&scene, "all").await;
    let keys: Vec<_> = asked["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(keys, ["q1", "q2", "q3"]);
    let first = json!({"q2": {"n": 2}, "unknown": {"n": 9}, "q1": 12345});
    let got = again(&scene, "all", &asked["requestState"], first).await.json();
    let rest = &got["result"];
    assert_eq!(rest["resultType"], "input_required");
    assert_ne!(rest["requestState"], asked["requestState"]);
    let keys: Vec<_> = rest["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(keys, ["q1", "q3"], "what is no answer is missing");
    let none = again(&scene, "all", &rest["requestState"], json!(null))
        .await
        .json();
    let state = &none["result"]["requestState"];
    let last = again(&scene, "all", state, json!({"q1": {"n": 1}, "q3": {"n": 3}}))
        .await
        .json();
    assert_eq!(text(&last["result"]), r#"{"n":1} {"n":2} {"n":3}"#);
}

#[tokio::test]
async fn an_answer_that_comes_along_at_once_is_taken() {
    let scene = scene(InputLimits::default());
    for (responses, complete) in [
        (json!({"who": accept(), "more": {}}), true),
        (json!({"wrong": accept()}), false),
        (json!({"who": 12345}), false),
        (json!(null), false),
    ] {
        let params = json!({"name": "who", "inputResponses": responses});
        let got = modern(&scene, "ann", 1, "tools/call", params).await.json();
        let expected = if complete { "complete" } else { "input_required" };
        assert_eq!(got["result"]["resultType"], expected, "{got}");
    }
    for params in [json!({"inputResponses": 1}), json!({"requestState": 1})] {
        let mut params = params;
        params["name"] = "who".into();
        let got = modern(&scene, "ann", 1, "tools/call", params).await;
        assert_eq!((got.status, got.code()), (200, -32_602), "{got:?}");
    }
}

#[tokio::test]
async fn s41_a_state_serves_once_and_its_own_request_alone() {
    let scene = scene(InputLimits::default());
    let params = json!({"name": "who", "arguments": {"a": 1}});
    let asked = modern(&scene, "ann", 1, "tools/call", params.clone())
        .await
        .json();
    let state = asked["result"]["requestState"].as_str().unwrap().to_owned();
    let back = |change: &dyn Fn(&mut Value)| {
        let mut params = params.clone();
        params["requestState"] = json!(state);
        params["inputResponses"] = json!({"who": accept()});
        change(&mut params);
        params
    };
    let refused = [
        ("bob", back(&|_| {})),
        ("ann", back(&|params| params["name"] = "all".into())),
        ("ann", back(&|params| params["arguments"] = json!({"a": 2}))),
        (
            "ann",
            back(&|params| drop(params.as_object_mut().unwrap().remove("arguments"))),
        ),
        (
            "ann",
            back(&|params| params["requestState"] = format!("{state}A").into()),
        ),
        ("ann", back(&|params| params["requestState"] = state[1..].into())),
        ("ann", back(&|params| params["requestState"] = "".into())),
    ];
    for (principal, params) in refused {
        let got = modern(&scene, principal, 2, "tools/call", params.clone()).await;
        assert_eq!((got.status, got.code()), (200, -32_602), "{params}");
        assert!(got.text.contains("`params.requestState`"), "{got:?}");
    }
    let (one, other) = tokio::join!(
        modern(&scene, "ann", 2, "tools/call", back(&|_| {})),
        modern(&scene, "ann", 3, "tools/call", back(&|_| {})),
    );
    let mut codes = [one.code(), other.code()];
    codes.sort_unstable();
    assert_eq!(codes, [-32_602, 0], "one of two goes on: {one:?} {other:?}");
    let late = modern(&scene, "ann", 4, "tools/call", back(&|_| {})).await;
    assert_eq!(late.code(), -32_602, "a replay");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_come_back_ends_its_call() {
    let (engine, scene) = of_mock();
    let begin = tokio::time::Instant::now();
    let (asked, (mut running, _answer)) = tokio::join!(call(&scene, "who"), async { asking(&engine).await });
    assert!(
        !running.cx.cancelled().is_cancelled(),
        "the end of the exchange is no cancellation"
    );
    assert!(running.cx.clock().is_paused());
    running.abandoned().await;
    assert!(begin.elapsed() >= InputLimits::default().timeout);
    let got = again(&scene, "who", &asked["requestState"], json!({"who": accept()})).await;
    assert_eq!(got.code(), -32_602, "it has expired");
}

#[tokio::test]
async fn the_end_of_a_call_that_was_parked_is_told_when_its_client_comes_back() {
    let (engine, scene) = of_mock();
    let (asked, (running, _answer)) = tokio::join!(call(&scene, "who"), async { asking(&engine).await });
    running.answer(Err(EngineError::new(ErrorKind::Crashed, "the worker has died")));
    let got = again(&scene, "who", &asked["requestState"], json!({}))
        .await
        .json();
    assert_eq!(text(&got["result"]), "the worker has died");
}

#[tokio::test]
async fn notes_follow_the_request_that_is_open() {
    let (engine, scene) = of_mock();
    let with_token = |token: &str, more: Value| {
        let mut params = json!({"name": "who", "_meta": {"progressToken": token}});
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        params
    };
    let first = modern(&scene, "ann", 1, "tools/call", with_token("one", json!({})));
    let (asked, (running, answer)) = tokio::join!(first, async {
        let (running, answer) = asking(&engine).await;
        running.cx.client().notify(progress(1));
        (running, answer)
    });
    let asked = asked.events();
    assert_eq!(asked[0]["params"]["progressToken"], "one");
    running.cx.client().notify(progress(2));
    let state = &asked[1]["result"]["requestState"];
    let more = json!({"requestState": state, "inputResponses": {"who": accept()}});
    let second = modern(&scene, "ann", 2, "tools/call", with_token("two", more));
    let (got, ()) = tokio::join!(second, async {
        answer.await.unwrap().unwrap();
        running.cx.client().notify(progress(3));
        running.answer(Ok(said("done")));
    });
    let events = got.events();
    assert_eq!(
        (
            events[0]["params"]["progressToken"].as_str(),
            &events[0]["params"]["progress"]
        ),
        (Some("two"), &json!(3))
    );
    assert_eq!(events.len(), 2, "what was told meanwhile is lost");
}

#[tokio::test]
async fn prompts_and_resources_ask_as_well() {
    let catalog = Catalog::builder()
        .prompt(Prompt::new("p"))
        .resource(Resource::new("r://a", "a"));
    let engine = Arc::new(EngineMock::new(catalog.build().unwrap()));
    let scene = Scene::of(engine.clone(), Settings::default());
    let replies = [
        (
            "prompts/get",
            json!({"name": "p"}),
            EngineReply::Prompt(PromptOutput {
                description: None,
                messages: raw(r#"[{"role":"user","content":{"type":"text","text":"hi"}}]"#),
            }),
        ),
        (
            "resources/read",
            json!({"uri": "r://a"}),
            EngineReply::Resource(ResourceOutput {
                contents: raw(r#"[{"uri":"r://a","text":"hi"}]"#),
            }),
        ),
    ];
    for (method, params, reply) in replies {
        let first = modern(&scene, "ann", 1, method, params.clone());
        let (asked, (running, answer)) = tokio::join!(first, async {
            let (running, answer) = asking(&engine).await;
            (running, answer)
        });
        let asked = asked.json();
        assert_eq!(asked["result"]["inputRequests"], who(), "{method}");
        let mut back = params;
        back["requestState"] = asked["result"]["requestState"].clone();
        back["inputResponses"] = json!({"who": accept()});
        let (got, ()) = tokio::join!(modern(&scene, "ann", 2, method, back), async {
            answer.await.unwrap().unwrap();
            running.answer(Ok(reply));
        });
        assert_eq!(got.json()["result"]["resultType"], "complete", "{got:?}");
    }
}

/// One namespace whose engine a test exchanges.
#[derive(Debug)]
struct Exchanged(RwLock<Arc<EngineMock>>);

impl Mounts for Exchanged {
    fn mount(&self, _caller: &Caller, _namespace: &str) -> Result<Mount> {
        let engine: Arc<dyn ToolEngine> = self.0.read().unwrap().clone();
        let namespace = "demo".parse().unwrap();
        Ok(Mount { namespace, engine })
    }

    fn changes(&self, cx: &CallContext, _namespace: &NamespaceName, watch: &[Arc<str>]) -> Changes {
        self.0.read().unwrap().changes(cx, watch)
    }
}

#[tokio::test]
async fn a_parked_call_ends_on_the_engine_it_began_on() {
    let (old, new) = (mock(&["who"]), mock(&["who"]));
    let mounts = Arc::new(Exchanged(RwLock::new(old.clone())));
    let scene = Scene::over(mounts.clone());
    let (asked, (running, answer)) = tokio::join!(call(&scene, "who"), async {
        let (running, answer) = asking(&old).await;
        (running, answer)
    });
    *mounts.0.write().unwrap() = new;
    let back = again(&scene, "who", &asked["requestState"], json!({"who": accept()}));
    let (got, ()) = tokio::join!(back, async {
        answer.await.unwrap().unwrap();
        running.answer(Ok(said("old")));
    });
    assert_eq!(text(&got.json()["result"]), "old");
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_server_ends_parked_calls_at_once() {
    let (engine, scene) = of_mock();
    let (_, (mut running, _answer)) = tokio::join!(call(&scene, "who"), async { asking(&engine).await });
    let begin = tokio::time::Instant::now();
    tokio::join!(
        scene.server.shutdown(Duration::from_secs(60)),
        running.abandoned()
    );
    assert!(begin.elapsed() < Duration::from_secs(1), "nobody can come back");
}

#[tokio::test]
async fn a_modern_client_is_asked_what_it_declares_with_this_request() {
    let scene = scene(InputLimits::default());
    for (name, declared) in [
        ("who", json!({"sampling": {}})),
        ("all", json!({"elicitation": {}, "roots": {}})),
    ] {
        let params = json!({"name": name, "_meta": {"io.modelcontextprotocol/clientCapabilities": declared}});
        let got = modern(&scene, "ann", 1, "tools/call", params).await.json();
        let requests = &got["result"]["inputRequests"];
        let asked: Vec<_> = requests
            .as_object()
            .into_iter()
            .flat_map(|all| all.values())
            .collect();
        assert!(
            asked.iter().all(|one| one["method"] != "sampling/createMessage"),
            "{got}"
        );
        assert_eq!(asked.is_empty(), name == "who", "{got}");
    }
    let link = call(&scene, "link").await;
    let params = &link["inputRequests"]["q1"]["params"];
    assert_eq!(
        (&params["url"], &params["elicitationId"]),
        (&json!("https://example.org/"), &json!(null))
    );
}
