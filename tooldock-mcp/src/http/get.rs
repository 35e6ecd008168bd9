//! GET: a stream of what the server sends on its own.

use axum::body::Body;
use http::Response;

use super::{accept::Accept, exchange::Visitor, response::Rejected, sse};
use crate::{
    era::{Ask, Exchange, Headers, classify},
    refusal::{Refusal, code},
};

/// `Last-Event-ID` is not read: events have no ids, and every stream is a fresh one.
pub(super) async fn serve(visitor: Visitor) -> Result<Response<Body>, Rejected> {
    let (fact, session) = visitor.session().await?;
    let asked = classify(&Exchange {
        ask: Ask::Watch,
        headers: Some(Headers::read(visitor.headers())),
        session: fact,
        spoken: visitor.server.settings().revisions,
    });
    asked.map_err(Rejected::of_verb)?;
    if !Accept::read(visitor.headers())?.events {
        let text = "GET opens an event stream; send `Accept: text/event-stream`";
        return Err(Refusal::new(406, code::INVALID_REQUEST, text).into());
    }
    let Visitor { server, info, .. } = visitor;
    let connection = match session {
        Some(session) => server.resume(info, session),
        None => server.connect(info),
    };
    Ok(sse::respond(connection.watch()?, server.settings().keep_alive))
}
