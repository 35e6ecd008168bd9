//! Tools whose questions a client of 2026-07-28 answers by sending the call again.

use std::future::Future;

use serde_json::{Value, json};
use tooldock::{
    CallContext, EngineError, ErrorKind, RawJson, ToolOutput,
    engine::{Result, context::AskKind, fixed::StaticEngineBuilder},
};

use super::{
    asking::{ask, elicit, sample},
    form, tool,
};

pub(super) fn add(engine: StaticEngineBuilder) -> StaticEngineBuilder {
    let engine = asking(engine, "elicitation", async |cx| {
        Ok(format!("Hello, {}!", field(&cx, "user_name", "name").await?))
    });
    let engine = asking(engine, "sampling", async |cx| {
        let answer = ask(
            &cx,
            AskKind::Sample,
            "capital_question",
            sample("What is the capital of France?"),
        )
        .await?;
        Ok(answer["content"]["text"].to_string())
    });
    let engine = asking(engine, "list_roots", async |cx| {
        let answer = ask(&cx, AskKind::Roots, "client_roots", json!({})).await?;
        Ok(format!("Roots: {}", answer["roots"]))
    });
    let engine = asking(engine, "request_state", confirm);
    let engine = asking(engine, "tampered_state", confirm);
    let engine = asking(engine, "multiple_inputs", async |cx| {
        let (name, greeting, roots) = tokio::try_join!(
            field(&cx, "user_name", "name"),
            ask(&cx, AskKind::Sample, "greeting", sample("Generate a greeting")),
            ask(&cx, AskKind::Roots, "client_roots", json!({})),
        )?;
        Ok(format!(
            "{} {name}, {}",
            greeting["content"]["text"], roots["roots"]
        ))
    });
    let engine = asking(engine, "multi_round", async |cx| {
        let name = field(&cx, "step1", "name").await?;
        let color = field(&cx, "step2", "color").await?;
        Ok(format!("{name} likes {color}."))
    });
    asking(engine, "capabilities", async |cx| {
        let client = cx.client();
        if client.supports(AskKind::Sample) {
            return Ok(ask(&cx, AskKind::Sample, "", sample("Say something"))
                .await?
                .to_string());
        }
        if client.supports(AskKind::ElicitForm) {
            return field(&cx, "", "word").await;
        }
        Ok("The client can answer nothing.".to_owned())
    })
}

/// Adds `test_input_required_result_<name>`.
fn asking<F, R>(engine: StaticEngineBuilder, name: &str, run: F) -> StaticEngineBuilder
where
    F: Fn(CallContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<String>> + Send + 'static,
{
    let tool = tool(
        &format!("test_input_required_result_{name}"),
        "Ask the client before answering.",
    );
    engine.tool(tool, move |cx, _arguments: RawJson| {
        let text = run(cx);
        async move { Ok(ToolOutput::text(&text.await?)) }
    })
}

async fn confirm(cx: CallContext) -> Result<String> {
    let question = elicit("Please confirm", &form("ok", "boolean"));
    ask(&cx, AskKind::ElicitForm, "confirm", question).await?;
    Ok("state-ok".to_owned())
}

/// Asks for one text, and refuses an answer without it.
pub(super) async fn field(cx: &CallContext, key: &str, name: &str) -> Result<String> {
    let question = elicit(&format!("What is the {name}?"), &form(name, "string"));
    let answer: Value = ask(cx, AskKind::ElicitForm, key, question).await?;
    let text = answer["content"][name].as_str();
    text.map(str::to_owned)
        .ok_or_else(|| EngineError::new(ErrorKind::ToolFailed, format!("the answer has no `{name}`")))
}
