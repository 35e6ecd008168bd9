//! POST: one message, which is answered on the stream.

use axum::body::Body;
use http::{Response, StatusCode};

use crate::{
    connection::read,
    era::{Ask, Exchange, Headers, classify},
    http::{
        body,
        exchange::Visitor,
        response::{Rejected, empty},
    },
    refusal::{Refusal, code},
};

/// The parameter of the address that says to which stream a message belongs.
pub(super) const PARAMETER: &str = "session_id";

pub(super) async fn take(visitor: Visitor, query: &str, body: Body) -> Result<Response<Body>, Rejected> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let mut ids = pairs.filter_map(|(name, value)| (name == PARAMETER).then_some(value));
    let (id, other) = (ids.next(), ids.next());
    let id = id.filter(|id| other.is_none() && id.len() == 32).ok_or_else(|| {
        let text = "the address names no stream; send messages to the address that the event `endpoint` of `GET …/sse` has told";
        Refusal::bad(code::INVALID_REQUEST, text)
    })?;
    let server = visitor.server.clone();
    let unknown = || {
        let text = "the stream is unknown or closed; open another with `GET …/sse`";
        Refusal::new(404, code::INVALID_REQUEST, text)
    };
    let conversation = server.shared().conversations.find(id, &visitor.owner());
    let conversation = conversation.ok_or_else(unknown)?;
    body::check_type(visitor.headers())?;
    let message = read(&server, body::read(body, server.settings().message_bytes).await?)?;
    if message.params().is_some_and(|params| params.meta().is_claim()) {
        let text = "a message that describes itself is not sent over this transport; use `…/mcp`";
        return Err(Rejected::new(
            &Refusal::bad(code::INVALID_REQUEST, text),
            message.id(),
        ));
    }
    let route = classify(&Exchange {
        ask: Ask::Send(&message),
        headers: Some(Headers::read(visitor.headers())),
        session: conversation.connection.session_fact(),
        spoken: server.settings().revisions,
    });
    let route = route.map_err(|refusal| Rejected::new(&refusal, message.id()))?;
    if let Some(session) = conversation.connection.session() {
        // Counts as a use.
        let found = server
            .sessions()
            .find(session.id().as_str(), session.owner())
            .await;
        found.ok_or_else(unknown)?;
    }
    let place = conversation.admit()?;
    let mount = visitor.mount;
    server.shared().calls.spawn(async move {
        conversation.answer(mount, route, message).await;
        drop(place);
    });
    Ok(empty(StatusCode::ACCEPTED))
}
