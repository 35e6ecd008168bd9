//! `resources/unsubscribe`: the session is no longer told of a resource. It may not have been.

use tooldock_engine::catalog::Kind;

use crate::{connection::Reply, methods::Turn, refusal::Refusal, wire::Request};

pub(crate) async fn answer(turn: &Turn, request: &Request) -> Result<Reply, Refusal> {
    let uri = turn.uri(request)?;
    let catalog = turn.catalog(&turn.context(request.params.meta()))?;
    turn.require(&catalog, Kind::Resources, request)?;
    if let Some(session) = turn.session() {
        session.resources().remove(&uri);
    }
    Ok(turn.result(request, None, 0, |_, _| {}))
}
