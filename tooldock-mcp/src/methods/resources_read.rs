//! `resources/read`: what a resource holds.

use tooldock_engine::{
    EngineError, EngineReply, EngineRequest, ErrorKind, RawJson,
    catalog::Kind,
    error::Result as EngineResult,
    fixed::unknown_resource,
    request::{ReadResource, ResourceUri},
};

use crate::{
    call::Running,
    methods::{Encoder, Turn, work::Work},
    refusal::Refusal,
    wire::{MessageId, Request},
};

pub(crate) async fn answer(turn: Turn, request: Request) -> Result<Running, Refusal> {
    let uri = turn.uri(&request)?;
    let work = Work::begin(turn, &request).await?;
    work.turn.require(&work.catalog, Kind::Resources, &request)?;
    if !work.catalog.may_have(&uri) {
        return Err(Refusal::dispatched(&unknown_resource(&uri), work.turn.era()));
    }
    let asked = ReadResource {
        uri: uri.clone(),
        answers: None,
    };
    let encode = move |encoder: &Encoder, id: &MessageId, outcome: EngineResult<EngineReply>| {
        encode(encoder, id, outcome.map_err(|error| named(error, &uri)))
    };
    work.run(EngineRequest::ReadResource(asked), encode)
}

/// Which address is unknown, the error has to say, whatever engine it comes from.
fn named(error: EngineError, uri: &ResourceUri) -> EngineError {
    match error.kind() {
        ErrorKind::UnknownResource => error.with_details(serde_json::json!({"uri": &**uri}).into()),
        _ => error,
    }
}

fn encode(encoder: &Encoder, id: &MessageId, outcome: EngineResult<EngineReply>) -> RawJson {
    match outcome {
        Ok(EngineReply::Resource(resource)) => encoder.result(id, resource.contents.len(), None, |out| {
            out.raw("contents", &resource.contents);
            encoder.write_hints(out);
        }),
        other => encoder.error(id, other),
    }
}
