//! `prompts/get`: fills a prompt in.

use std::collections::BTreeMap;

use tooldock_engine::{
    EngineError, EngineReply, EngineRequest, ErrorKind, RawJson, error::Result as EngineResult,
    request::GetPrompt,
};

use crate::{
    connection::Reply,
    methods::{Encoder, Turn, work::Work},
    refusal::Refusal,
    wire::{MessageId, Params, Request},
};

pub(crate) async fn answer(turn: Turn, request: Request) -> Result<Reply, Refusal> {
    let name = request
        .params
        .text("name")
        .ok_or_else(|| Refusal::params("`params.name` must be a text"))?;
    let arguments = arguments(&request.params)?;
    let work = Work::begin(turn, &request).await?;
    if work.catalog.prompts().iter().all(|prompt| prompt.name != name) {
        let text = "there is no prompt of this name here; list the prompts to see what there is";
        let unknown = EngineError::new(ErrorKind::UnknownPrompt, text);
        return Err(Refusal::dispatched(&unknown, work.turn.era()));
    }
    let asked = GetPrompt {
        name,
        arguments,
        answers: None,
    };
    work.run(EngineRequest::GetPrompt(asked), encode).await
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
            if let Some(description) = &prompt.description {
                out.string("description", description);
            }
            out.raw("messages", &prompt.messages);
        }),
        other => encoder.error(id, other),
    }
}
