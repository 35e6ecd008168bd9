//! GET: the stream that brings everything.

use std::sync::Arc;

use axum::body::Body;
use futures_util::stream::{self, StreamExt as _};
use http::Response;

use super::{conversation::Conversation, messages::PARAMETER, outgoing::Outgoing};
use crate::{
    http::{exchange::Visitor, response::Rejected, sse},
    refusal::Refusal,
};

/// Opens a conversation. Its stream begins with the address for messages, as a path relative to the stream's own: what a client or a
/// proxy calls this server plays no part in it.
pub(super) fn open(visitor: Visitor) -> Result<Response<Body>, Rejected> {
    let server = visitor.server.clone();
    server.admit()?;
    let owner = visitor.owner();
    let place = server
        .shared()
        .places
        .take(&owner.principal)
        .map_err(Refusal::from)?;
    let opened = Conversation::new(server.connect(visitor.info), owner);
    let (conversation, messages) = opened.map_err(|error| Refusal::from(&error))?;
    server.shared().conversations.add(conversation.clone());
    let endpoint = format!("messages?{PARAMETER}={}", conversation.id.as_str());
    let outgoing = Outgoing::new(Arc::clone(&conversation), messages, place);
    let first = stream::iter([sse::named("endpoint", &endpoint)]);
    let rest = stream::unfold(outgoing, async |mut outgoing| {
        Some((sse::message(&outgoing.next().await?), outgoing))
    });
    Ok(sse::respond(first.chain(rest), server.settings().keep_alive))
}
