//! `initialize`: client and server agree on a revision and open a session.

use std::sync::Arc;

use tooldock_engine::RawJson;

use crate::{
    connection::Reply,
    methods::Turn,
    model::{write_capabilities, write_instructions},
    refusal::{Refusal, code},
    revision::{Era, Revision},
    session::{Owner, Session},
    watch::List,
    wire::{Params, Request},
};

/// Only a valid request opens a session; a refused one leaves nothing behind.
pub(crate) async fn answer(turn: &Turn, request: &Request) -> Result<Reply, Refusal> {
    let offered = offer(&request.params)?;
    if turn.connection.session().is_some_and(|session| session.is_open()) {
        return Err(Refusal::bad(
            code::INVALID_REQUEST,
            "this connection has a session; open another connection for another session",
        ));
    }
    let revision = negotiate(turn, &offered)?;
    let catalog = turn.catalog(&turn.context(request.params.meta()))?;
    let inner = turn.inner();
    let owner = Owner {
        principal: inner.info.caller.principal.clone(),
        namespace: turn.mount.namespace.clone(),
    };
    let capabilities = request
        .params
        .get("capabilities")
        .map_or_else(RawJson::empty_object, RawJson::detached);
    let end = inner.server.shared().stop.child_token();
    let session = Session::open(
        owner,
        revision,
        capabilities,
        turn.connection.outbox().clone(),
        inner.server.shared().events.clone(),
        end,
    );
    let session = session.map_err(|error| Refusal::dispatched(&error, Era::Handshake))?;
    let page_size = inner.server.settings().page_size;
    let seen = List::see(&catalog, revision, page_size);
    session.told().set(|list| list.is_offered(&catalog), Some(seen));
    turn.connection.open(Arc::new(session));
    Ok(turn.result(request, None, 256, |out, _| {
        out.string("protocolVersion", revision.as_str());
        write_capabilities(out, &catalog, revision);
        out.raw("serverInfo", &turn.introduction(&catalog, revision));
        write_instructions(out, &catalog);
    }))
}

/// The revision the client offers, if the parameters are those of `initialize`.
fn offer(params: &Params) -> Result<String, Refusal> {
    let version = params.text("protocolVersion");
    let version = version.ok_or_else(|| Refusal::params("`params.protocolVersion` must be a text"))?;
    for name in ["capabilities", "clientInfo"] {
        if !params.get(name).is_some_and(RawJson::is_object) {
            return Err(Refusal::params(format!("`params.{name}` must be an object")));
        }
    }
    Ok(version)
}

/// What is offered if it is spoken, else the newest with sessions: the client leaves if it cannot live with that.
fn negotiate(turn: &Turn, offered: &str) -> Result<Revision, Refusal> {
    let spoken = turn.spoken();
    let known =
        Revision::named(offered).filter(|revision| revision.era() == Era::Handshake && spoken.has(*revision));
    known.or(spoken.newest(Era::Handshake)).ok_or_else(|| {
        Refusal::bad(
            code::UNSUPPORTED_VERSION,
            "no revision with sessions is spoken here",
        )
    })
}
