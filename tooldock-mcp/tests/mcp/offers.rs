//! Prompts and resources: what an engine offers besides tools.

use std::sync::Arc;

use serde_json::{Value, json};
use tooldock_engine::{
    Catalog, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson,
    catalog::{Prompt, PromptArgument, Resource, ResourceTemplate},
    output::{PromptOutput, ResourceOutput},
    testing::EngineMock,
};
use tooldock_mcp::Settings;

use crate::scene::{HANDSHAKE, Scene, enveloped, offer, raw, request};

fn prompt() -> Prompt {
    let mut prompt = Prompt::new("greet");
    prompt.title = Some("Greet".to_owned());
    prompt.description = Some("Greets.".to_owned());
    prompt.icons = Some(RawJson::empty_array());
    prompt.meta = Some(raw(r#"{"n": 1.10}"#));
    prompt.arguments = vec![PromptArgument {
        name: "who".to_owned(),
        title: Some("Who".to_owned()),
        required: true,
        ..PromptArgument::default()
    }];
    prompt
}

fn scene(templates: bool) -> (Arc<EngineMock>, Scene) {
    let mut note = Resource::new("note://a", "a");
    note.mime_type = Some("text/plain".to_owned());
    note.size = Some(7);
    note.title = Some("A".to_owned());
    let mut catalog = Catalog::builder().prompt(prompt()).resource(note);
    if templates {
        catalog = catalog.template(ResourceTemplate::new("note://{name}", "notes"));
    }
    let engine = Arc::new(EngineMock::new(catalog.build().unwrap()));
    let scene = Scene::of(engine.clone(), Settings::default());
    (engine, scene)
}

async fn listed(scene: &Scene, revision: &str, method: &str) -> Value {
    let opened = scene.ask().post(request(0, "initialize", offer(revision))).await;
    let id = opened.header("mcp-session-id").unwrap();
    let ask = scene.ask().with("mcp-session-id", id);
    ask.post(request(1, method, json!({}))).await.json()["result"].clone()
}

#[tokio::test]
async fn each_revision_is_shown_what_it_knows() {
    let (_, scene) = scene(true);
    let who = json!({"name": "who", "title": "Who", "required": true});
    let full = json!({"name": "greet", "title": "Greet", "description": "Greets.", "icons": [],
        "_meta": {"n": 1.10}, "arguments": [who]});
    assert_eq!(
        listed(&scene, HANDSHAKE, "prompts/list").await,
        json!({"prompts": [full]})
    );
    let old =
        json!({"name": "greet", "description": "Greets.", "arguments": [{"name": "who", "required": true}]});
    assert_eq!(
        listed(&scene, "2025-03-26", "prompts/list").await,
        json!({"prompts": [old]})
    );
    let note = json!({"uri": "note://a", "name": "a", "title": "A", "mimeType": "text/plain", "size": 7});
    assert_eq!(
        listed(&scene, HANDSHAKE, "resources/list").await,
        json!({"resources": [note]})
    );
    assert_eq!(
        listed(&scene, HANDSHAKE, "resources/templates/list").await,
        json!({"resourceTemplates": [{"uriTemplate": "note://{name}", "name": "notes"}]})
    );
}

/// Asks in both eras; `answer` answers for the engine.
async fn ask_both(
    (engine, scene): &(Arc<EngineMock>, Scene),
    (method, name): (&str, &str),
    params: Value,
    answer: impl Fn(&EngineRequest) -> Result<EngineReply, EngineError>,
) -> [Value; 2] {
    let answers = async {
        loop {
            let running = engine.next().await;
            let reply = answer(&running.request);
            running.answer(reply);
        }
    };
    let asks = async {
        let ask = scene
            .ask()
            .with("mcp-protocol-version", crate::scene::MODERN)
            .with("mcp-method", method)
            .with("mcp-name", name);
        let modern = ask.post(request(1, method, enveloped(params.clone()))).await;
        let id = scene.initialize().await;
        let session = scene.session(&id, method, params.clone()).await;
        assert_eq!((modern.status, session.status), (200, 200));
        [modern.json(), session.json()]
    };
    tokio::select! {
        both = asks => both,
        () = answers => unreachable!("it answers forever"),
    }
}

#[tokio::test]
async fn a_prompt_is_filled_in() {
    let scene = scene(false);
    let messages = r#"[{"role": "user", "content": {"type": "text", "text": "1.10"}}]"#;
    let params = json!({"name": "greet", "arguments": {"who": "ann"}});
    let [modern, session] = ask_both(&scene, ("prompts/get", "greet"), params, |asked| {
        let EngineRequest::GetPrompt(asked) = asked else {
            panic!("{asked:?}")
        };
        assert_eq!((&*asked.name, asked.arguments["who"].as_str()), ("greet", "ann"));
        Ok(EngineReply::Prompt(PromptOutput {
            description: Some("d".to_owned()),
            messages: raw(messages),
        }))
    })
    .await;
    let expected: Value = serde_json::from_str(messages).unwrap();
    assert_eq!(
        session["result"],
        json!({"description": "d", "messages": expected})
    );
    assert_eq!(
        (&modern["result"]["messages"], &modern["result"]["resultType"]),
        (&expected, &json!("complete"))
    );
    for (params, text) in [
        (json!({"name": "nope"}), "no prompt"),
        (json!({"name": "greet", "arguments": {"who": 1}}), "texts"),
        (json!({"name": "greet"}), "needs the argument `who`"),
        (json!({}), "`params.name`"),
    ] {
        let got = scene.1.modern("prompts/get", params).await;
        assert_eq!((got.status, got.code()), (200, -32_602), "{got:?}");
        assert!(got.text.contains(text), "{got:?}");
    }
}

#[tokio::test]
async fn a_resource_is_read() {
    let scene = scene(false);
    let params = json!({"uri": "note://a"});
    let [modern, session] = ask_both(&scene, ("resources/read", "note://a"), params, |asked| {
        let EngineRequest::ReadResource(asked) = asked else {
            panic!("{asked:?}")
        };
        assert_eq!(&*asked.uri, "note://a");
        Ok(EngineReply::Resource(ResourceOutput {
            contents: raw(r#"[{"uri": "note://a", "text": "", "x": 1.10}]"#),
        }))
    })
    .await;
    assert_eq!(
        session["result"],
        json!({"contents": [{"uri": "note://a", "text": "", "x": 1.10}]})
    );
    let result = &modern["result"];
    assert_eq!(
        (&result["contents"], &result["ttlMs"], &result["cacheScope"]),
        (
            &json!([{"uri": "note://a", "text": "", "x": 1.10}]),
            &json!(0),
            &json!("private")
        )
    );
}

#[tokio::test]
async fn an_unknown_address_is_an_error_that_names_it() {
    for templates in [false, true] {
        let scene = scene(templates);
        let params = json!({"uri": "note://b"});
        let both = ask_both(&scene, ("resources/read", "note://b"), params, |_| {
            assert!(templates, "only templates have addresses that are not listed");
            Err(EngineError::new(ErrorKind::UnknownResource, "no note `b`"))
        });
        let [modern, session] = both.await;
        assert_eq!(
            (&modern["error"]["code"], &session["error"]["code"]),
            (&json!(-32_602), &json!(-32_002))
        );
        assert_eq!(modern["error"]["data"], json!({"uri": "note://b"}));
    }
}

#[tokio::test]
async fn an_answer_of_another_kind_is_an_error() {
    let scene = scene(false);
    let params = json!({"uri": "note://a"});
    let both = ask_both(&scene, ("resources/read", "note://a"), params, |_| {
        Ok(crate::lifetimes::said("what?"))
    });
    for got in both.await {
        assert_eq!(got["error"]["code"], -32_603);
    }
}
