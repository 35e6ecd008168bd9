//! Engines that answer with questions, for clients that are asked within the call.

use std::{sync::Arc, time::Duration};

use futures_util::future::try_join_all;
use tooldock_engine::{
    CallContext, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson, ToolEngine,
    context::{Ask, AskKind},
    error::Result,
    json::ObjectWriter,
    output::InputRequired,
    request::Answers,
};

use super::{desk::cannot, question::read_all};

/// How long to wait before an engine that asks nothing is tried again; each time as long again as before.
const PAUSE: Duration = Duration::from_millis(50);

/// Lets `engine` answer; questions that it answers with are asked within the call, at most `rounds` times.
pub(crate) async fn serve_asking(
    engine: Arc<dyn ToolEngine>,
    cx: CallContext,
    mut asked: EngineRequest,
    rounds: u8,
) -> Result<EngineReply> {
    for round in 0..=rounds {
        let reply = engine.serve(cx.clone(), asked.clone()).await?;
        let EngineReply::InputRequired(required) = reply else {
            return Ok(reply);
        };
        if round < rounds {
            let answers = ask_all(&cx, required, round).await?;
            asked = asked.with_answers(answers);
        }
    }
    let text = format!("the tool has asked {rounds} times and asks again, which is more than it may");
    Err(EngineError::new(ErrorKind::InputRequired, text))
}

async fn ask_all(cx: &CallContext, required: InputRequired, round: u8) -> Result<Answers> {
    let questions = read_all(&required.requests)?;
    if questions.is_empty() {
        tokio::time::sleep(PAUSE * (u32::from(round) + 1)).await;
    }
    let answers = questions.into_iter().map(|ask| ask_one(cx, ask));
    let mut responses = ObjectWriter::new();
    for (key, answer) in try_join_all(answers).await? {
        responses.raw(&key, &answer);
    }
    Ok(Answers {
        responses: responses.finish(),
        state: required.state,
    })
}

/// A person whose client refuses to show a form has declined; without a model's answer or the roots the call cannot go on.
async fn ask_one(cx: &CallContext, ask: Ask) -> Result<(Arc<str>, RawJson)> {
    let (kind, key) = (ask.kind, ask.key.clone().unwrap_or_default());
    if !cx.client().supports(kind) {
        return Err(cannot(kind.method()));
    }
    let answer = match (cx.client().ask(ask).await, kind) {
        (Err(error), AskKind::ElicitForm | AskKind::ElicitUrl)
            if error.kind() == ErrorKind::InputRequired =>
        {
            serde_json::json!({"action": "decline"}).into()
        }
        (answer, _) => answer?,
    };
    Ok((key, answer))
}
