//! GET: a stream of what the server sends on its own, or the rest of a stream that broke.

use std::sync::Arc;

use axum::body::Body;
use http::Response;

use super::{
    accept::Accept,
    exchange::{Visitor, repeated},
    response::Rejected,
    resumable,
};
use crate::{
    connection::Connection,
    era::{Ask, Exchange, Headers, Single, classify},
    refusal::{Refusal, code},
    session::Session,
    stream::{Carries, EventId, Reader},
};

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
    let last = match Single::read(visitor.headers(), "last-event-id") {
        Single::One(last) => last.parse::<EventId>().ok(),
        Single::Absent => None,
        // Whoever goes on behind one of two places misses events and does not know.
        Single::Unclear => return Err(repeated("Last-Event-ID")),
    };
    let Visitor { server, info, .. } = visitor;
    let session = session.expect("only an open session is watched");
    let connection = server.resume(info, session.clone());
    let reader = read(&connection, &session, last).await?;
    Ok(resumable::respond(reader, session.revision(), server.settings()))
}

/// Reads on where the client has stopped; an id that names no stream of the session names nothing, and a new stream begins.
async fn read(
    connection: &Connection,
    session: &Arc<Session>,
    last: Option<EventId>,
) -> Result<Reader, Refusal> {
    let found = last.and_then(|last| Some((session.streams().find(last)?, last)));
    match found {
        Some((channel, last)) if channel.carries == Carries::Notices => {
            let notices = connection.notices()?;
            Ok(Reader::resume(channel, last, Some(notices)).await)
        }
        Some((channel, last)) => Ok(Reader::resume(channel, last, None).await),
        None => Ok(session.streams().notices(connection.notices()?)),
    }
}
