//! Tools that ask the client one thing within their call.

use serde_json::{Value, json};
use tooldock::{
    CallContext, RawJson, ToolOutput,
    engine::{
        Result,
        context::{Ask, AskKind},
        fixed::StaticEngineBuilder,
    },
};

use super::{tool, tool_taking};

pub(super) fn add(engine: StaticEngineBuilder) -> StaticEngineBuilder {
    let mut needs = tool(
        "test_missing_capability",
        "Run only for clients that offer sampling.",
    );
    needs.requires = Some(RawJson::from(json!({"sampling": {}})));
    engine
        .tool(needs, async |_cx, _| {
            Ok(ToolOutput::text("The client offers sampling."))
        })
        .tool(
            tool_taking(
                "prompt",
                "test_sampling",
                "Let the client's model answer a prompt.",
            ),
            async |cx: CallContext, arguments: RawJson| {
                let given: Value = arguments.parse().unwrap_or_default();
                let prompt = given["prompt"].as_str().unwrap_or_default();
                let answer = ask(&cx, AskKind::Sample, "", sample(prompt)).await?;
                let text = format!("LLM response: {}", answer["content"]["text"]);
                Ok(ToolOutput::text(&text))
            },
        )
        .tool(
            tool_taking(
                "message",
                "test_elicitation",
                "Ask the person for a name and an address.",
            ),
            async |cx: CallContext, arguments: RawJson| {
                let given: Value = arguments.parse().unwrap_or_default();
                tell(&cx, given["message"].as_str().unwrap_or_default(), &person()).await
            },
        )
        .tool(
            tool(
                "test_elicitation_sep1034_defaults",
                "Ask with a default for every kind of field.",
            ),
            async |cx: CallContext, _| tell(&cx, "Review the defaults", &defaults()).await,
        )
        .tool(
            tool("test_elicitation_sep1330_enums", "Ask with every kind of choice."),
            async |cx: CallContext, _| tell(&cx, "Choose", &choices()).await,
        )
}

/// Asks, and gives the answer as a value. An empty key leaves the name to the door.
pub(super) async fn ask(cx: &CallContext, kind: AskKind, key: &str, params: Value) -> Result<Value> {
    let question = Ask::new(kind, RawJson::from(params));
    let question = match key {
        "" => question,
        key => question.with_key(key),
    };
    let answer = cx.client().ask(question).await?;
    Ok(answer.parse().unwrap_or_default())
}

/// The parameters of a form.
pub(super) fn elicit(message: &str, schema: &Value) -> Value {
    json!({"mode": "form", "message": message, "requestedSchema": schema})
}

/// The parameters of a question to the model.
pub(super) fn sample(prompt: &str) -> Value {
    let message = json!({"role": "user", "content": {"type": "text", "text": prompt}});
    json!({"messages": [message], "maxTokens": 100})
}

/// Shows a form and tells what came back.
async fn tell(cx: &CallContext, message: &str, schema: &Value) -> Result<ToolOutput> {
    let answer = ask(cx, AskKind::ElicitForm, "", elicit(message, schema)).await?;
    Ok(ToolOutput::text(&format!("User response: {answer}")))
}

fn person() -> Value {
    let text = json!({"type": "string"});
    json!({"type": "object", "properties": {"username": text, "email": text}, "required": ["username", "email"]})
}

fn defaults() -> Value {
    json!({"type": "object", "required": [], "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    }})
}

fn choices() -> Value {
    let plain = json!({"type": "string", "enum": ["option1", "option2", "option3"]});
    let titled =
        json!([{"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"}]);
    json!({"type": "object", "required": [], "properties": {
        "untitledSingle": plain,
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        "untitledMulti": {"type": "array", "items": plain},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }})
}
