//! Completion: proposals for arguments of prompts and templates.

use std::sync::Arc;

use serde_json::{Value, json};
use tooldock_engine::{
    StaticEngine,
    catalog::{Prompt, ResourceTemplate},
    fixed::Address,
    output::{Completion, PromptOutput, ResourceOutput},
    request::{Complete, GetPrompt, Reference},
};
use tooldock_mcp::Settings;

use crate::scene::Scene;

fn scene() -> Scene {
    let engine = StaticEngine::builder()
        .prompt(Prompt::new("greet"), async |_cx, _get: GetPrompt| {
            Ok(PromptOutput::user("hi"))
        })
        .template(
            ResourceTemplate::new("note://{name}", "notes"),
            async |_cx, address: Address| Ok(ResourceOutput::text(&address.uri, "text/plain", "")),
        )
        .completion(async |_cx, asked: Complete| {
            let about = match asked.reference {
                Reference::Prompt(name) => name,
                Reference::Resource(uri) => uri,
            };
            if asked.value == "many" {
                let values = (0..150).map(|number| number.to_string()).collect();
                return Ok(Completion {
                    values,
                    total: Some(150),
                    has_more: false,
                });
            }
            let values = vec![format!(
                "{about} {} {} {:?}",
                asked.argument, asked.value, asked.context
            )];
            Ok(Completion {
                values,
                ..Completion::default()
            })
        });
    Scene::of(Arc::new(engine.build().unwrap()), Settings::default())
}

#[tokio::test]
async fn an_argument_is_completed_in_both_eras() {
    let scene = scene();
    let id = scene.initialize().await;
    let prompt = json!({"type": "ref/prompt", "name": "greet"});
    let template = json!({"type": "ref/resource", "uri": "note://{name}"});
    let address = json!({"type": "ref/resource", "uri": "note://a"});
    for (reference, about) in [
        (&prompt, "greet"),
        (&template, "note://{name}"),
        (&address, "note://a"),
    ] {
        let params = json!({"ref": reference, "argument": {"name": "who", "value": "an"},
            "context": {"arguments": {"how": "loud"}}});
        let expected = json!({"values": [format!("{about} who an {{\"how\": \"loud\"}}")], "hasMore": false});
        let modern = scene.modern("completion/complete", params.clone()).await.json();
        let session = scene.session(&id, "completion/complete", params).await.json();
        assert_eq!(session["result"], json!({"completion": expected}));
        assert_eq!(modern["result"]["completion"], expected);
        assert_eq!(modern["result"]["resultType"], "complete");
    }
}

#[tokio::test]
async fn an_answer_has_at_most_a_hundred_values() {
    let params =
        json!({"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "who", "value": "many"}});
    let got = scene().modern("completion/complete", params).await.json();
    let completion = &got["result"]["completion"];
    assert_eq!(completion["values"].as_array().unwrap().len(), 100);
    assert_eq!(
        (&completion["total"], &completion["hasMore"]),
        (&json!(150), &json!(true))
    );
}

#[tokio::test]
async fn what_cannot_be_completed_is_refused() {
    let argument = json!({"name": "who", "value": ""});
    let prompt = json!({"type": "ref/prompt", "name": "greet"});
    let table: [(Value, Value, &str); 7] = [
        (Value::Null, argument.clone(), "`params.ref`"),
        (
            json!({"type": "ref/tool", "name": "greet"}),
            argument.clone(),
            "`params.ref`",
        ),
        (json!({"type": "ref/prompt"}), argument.clone(), "`params.ref`"),
        (
            json!({"type": "ref/prompt", "name": "x"}),
            argument.clone(),
            "no prompt `x`",
        ),
        (
            json!({"type": "ref/resource", "uri": "other://"}),
            argument,
            "no resource template",
        ),
        (prompt.clone(), json!({"name": "who"}), "`params.argument`"),
        (prompt, json!({"name": "who", "value": 1}), "`params.argument`"),
    ];
    for (reference, argument, why) in table {
        let params = json!({"ref": reference, "argument": argument});
        let got = scene().modern("completion/complete", params).await;
        assert_eq!((got.status, got.code()), (200, -32_602), "{got:?}");
        assert!(got.text.contains(why), "{why}: {got:?}");
    }
}
