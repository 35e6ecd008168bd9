//! `server/discover`: what a modern client can know before it asks for anything.

use crate::{
    connection::Reply,
    methods::Turn,
    model::{supported, write_capabilities, write_instructions},
    refusal::Refusal,
    wire::Request,
};

pub(crate) async fn answer(turn: &Turn, request: &Request) -> Result<Reply, Refusal> {
    let catalog = turn.catalog(&turn.context(request.params.meta()))?;
    Ok(turn.result(request, Some(&catalog), 256, |out, encoder| {
        out.raw("supportedVersions", &supported(turn.spoken()));
        write_capabilities(out, &catalog, turn.revision());
        write_instructions(out, &catalog);
        encoder.write_hints(out);
    }))
}
