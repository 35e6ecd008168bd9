//! `prompts/get`: fills a prompt in.

use std::collections::BTreeMap;

use tooldock_engine::{
    EngineReply, EngineRequest, RawJson, catalog::Kind, error::Result as EngineResult, fixed::unknown_prompt,
    request::GetPrompt,
};

use crate::{
    call::Running,
    methods::{Encoder, Turn, content, work::Work},
    refusal::Refusal,
    wire::{MessageId, Params, Request},
};

pub(crate) async fn answer(turn: Turn, request: Request) -> Result<Running, Refusal> {
    let name = request
        .params
        .text("name")
        .ok_or_else(|| Refusal::params("`params.name` must be a text"))?;
    let arguments = arguments(&request.params)?;
    let work = Work::begin(turn, &request).await?;
    work.turn.require(&work.catalog, Kind::Prompts, &request)?;
    let prompt = work.catalog.prompt(&name).ok_or_else(|| unknown_prompt(&name));
    let checked = prompt.and_then(|prompt| prompt.check(&arguments));
    checked.map_err(|error| Refusal::dispatched(&error, work.turn.era()))?;
    let asked = GetPrompt {
        name,
        arguments,
        answers: None,
    };
    work.run(EngineRequest::GetPrompt(asked), encode)
}

fn arguments(params: &Params) -> Result<BTreeMap<String, String>, Refusal> {
    match params.get("arguments") {
        None => Ok(BTreeMap::new()),
        Some(none) if none.is_null() => Ok(BTreeMap::new()),
        Some(arguments) => arguments
            .parse()
            .map_err(|_| Refusal::params("`params.arguments` must be an object of texts")),
    }
}

fn encode(encoder: &Encoder, id: &MessageId, outcome: EngineResult<EngineReply>) -> RawJson {
    match outcome {
        Ok(EngineReply::Prompt(prompt)) => encoder.result(id, prompt.messages.len(), None, |out| {
            let messages = content::fit_messages(&prompt.messages, encoder.revision);
            if let Some(description) = &prompt.description {
                out.string("description", description);
            }
            out.raw("messages", &messages);
        }),
        other => encoder.error(id, other),
    }
}
