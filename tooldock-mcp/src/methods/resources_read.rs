//! `resources/read`: what a resource holds.

use tooldock_engine::{
    Catalog, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson, error::Result as EngineResult,
    request::ReadResource,
};

use crate::{
    connection::Reply,
    methods::{Encoder, Turn, work::Work},
    refusal::Refusal,
    wire::{MessageId, Request},
};

pub(crate) async fn answer(turn: Turn, request: Request) -> Result<Reply, Refusal> {
    let uri = request
        .params
        .text("uri")
        .ok_or_else(|| Refusal::params("`params.uri` must be a text"))?;
    let work = Work::begin(turn, &request).await?;
    if !may_exist(&work.catalog, &uri) {
        let text = "there is no resource at this address; list the resources to see what there is";
        let unknown = EngineError::new(ErrorKind::UnknownResource, text);
        let refusal = Refusal::dispatched(&unknown, work.turn.era());
        return Err(refusal.with_data(serde_json::json!({"uri": uri}).into()));
    }
    let asked = ReadResource {
        uri: uri.into(),
        answers: None,
    };
    work.run(EngineRequest::ReadResource(asked), encode).await
}

/// Which addresses a template has, only its engine knows.
fn may_exist(catalog: &Catalog, uri: &str) -> bool {
    let mut listed = catalog.resources().iter();
    listed.any(|resource| &*resource.uri == uri) || !catalog.templates().is_empty()
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
