//! Prompts: plain, with arguments, with a resource, with a picture, and one that asks.

use serde_json::{Value, json};
use tooldock::{
    CallContext, RawJson,
    engine::{
        catalog::{Prompt, PromptArgument},
        fixed::StaticEngineBuilder,
        output::{Completion, PromptOutput},
        request::{Complete, GetPrompt},
    },
};

use super::{PIXEL, rounds::field};

/// What is proposed for an argument.
const WORDS: [&str; 5] = ["paris", "park", "party", "test", "testing"];

pub(super) fn add(engine: StaticEngineBuilder) -> StaticEngineBuilder {
    engine
        .prompt(prompt("test_simple_prompt", &[]), async |_cx, _get| {
            Ok(PromptOutput::user("This is a simple prompt for testing."))
        })
        .prompt(
            prompt("test_prompt_with_arguments", &["arg1", "arg2"]),
            async |_cx, get: GetPrompt| {
                let (one, two) = (&get.arguments["arg1"], &get.arguments["arg2"]);
                let text = format!("Prompt with arguments: arg1='{one}', arg2='{two}'");
                Ok(PromptOutput::user(&text))
            },
        )
        .prompt(
            prompt("test_prompt_with_embedded_resource", &["resourceUri"]),
            async |_cx, get: GetPrompt| {
                let resource =
                    json!({"uri": get.arguments["resourceUri"], "mimeType": "text/plain", "text": "content"});
                Ok(say(json!({"type": "resource", "resource": resource})))
            },
        )
        .prompt(prompt("test_prompt_with_image", &[]), async |_cx, _get| {
            Ok(say(
                json!({"type": "image", "data": PIXEL, "mimeType": "image/png"}),
            ))
        })
        .prompt(
            prompt("test_input_required_result_prompt", &[]),
            async |cx: CallContext, _get| {
                let context = field(&cx, "user_context", "context").await?;
                Ok(PromptOutput::user(&format!("Use this context: {context}")))
            },
        )
        .completion(async |_cx, typed: Complete| {
            let words = WORDS.iter().filter(|word| word.starts_with(&typed.value));
            Ok(Completion {
                values: words.map(|word| (*word).to_owned()).collect(),
                ..Completion::default()
            })
        })
}

/// A prompt that needs these arguments.
pub(super) fn prompt(name: &str, arguments: &[&str]) -> Prompt {
    let mut prompt = Prompt::new(name);
    prompt.description = Some("A prompt for testing.".to_owned());
    prompt.arguments = arguments
        .iter()
        .map(|name| PromptArgument {
            name: (*name).to_owned(),
            required: true,
            ..PromptArgument::default()
        })
        .collect();
    prompt
}

/// One thing that the user says, and what to do with it.
fn say(content: Value) -> PromptOutput {
    let asked = json!({"type": "text", "text": "Please process what is above."});
    let messages = [content, asked].map(|content| json!({"role": "user", "content": content}));
    PromptOutput {
        description: None,
        messages: RawJson::from(json!(messages)),
    }
}
