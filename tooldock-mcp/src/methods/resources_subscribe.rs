//! `resources/subscribe`: the session is told when a resource has another content.

use tooldock_engine::{catalog::Kind, fixed::unknown_resource};

use crate::{connection::Reply, methods::Turn, refusal::Refusal, wire::Request};

pub(crate) async fn answer(turn: &Turn, request: &Request) -> Result<Reply, Refusal> {
    let uri = turn.uri(request)?;
    let cx = turn.context(request.params.meta());
    let catalog = turn.catalog(&cx)?;
    turn.require(&catalog, Kind::Resources, request)?;
    if !catalog.may_have(&uri) {
        return Err(Refusal::dispatched(&unknown_resource(&uri), turn.era()));
    }
    if let Some(session) = turn.session() {
        let server = &turn.inner().server;
        let watched = session.resources().add(
            &server.shared().mounts,
            &cx,
            &uri,
            server.settings().resource_watches,
        );
        watched.map_err(|error| Refusal::dispatched(&error, turn.era()))?;
    }
    Ok(turn.result(request, None, 0, |_, _| {}))
}
