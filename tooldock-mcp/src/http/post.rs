//! POST: one message.

use std::sync::Arc;

use axum::body::Body;
use futures_util::stream::{self, StreamExt as _};
use http::{HeaderValue, Response, StatusCode};

use super::{
    accept::Accept,
    body,
    exchange::{SESSION, Visitor},
    mirrored,
    response::{Rejected, empty, json},
    resumable, sse,
};
use crate::{
    connection::{Connection, Reply, read},
    era::{Ask, Exchange, Headers, Route, SessionFact, classify},
    session::Session,
    wire::Message,
};

pub(super) async fn serve(mut visitor: Visitor, body: Body) -> Result<Response<Body>, Rejected> {
    body::check_type(visitor.headers())?;
    let settings = visitor.server.settings();
    let text = body::read(body, settings.message_bytes).await?;
    let message = read(&visitor.server, text)?;
    let refused = |refusal| Rejected::new(&refusal, message.id());
    let claims = message.params().is_some_and(|params| params.meta().is_claim());
    let (fact, session) = match claims {
        // A message that describes itself belongs to no session, whatever its headers say.
        true => (SessionFact::Unnamed, None),
        false => visitor.session().await?,
    };
    let route = classify(&Exchange {
        ask: Ask::Send(&message),
        headers: Some(Headers::read(visitor.headers())),
        session: fact,
        spoken: settings.revisions,
    });
    let route = route.map_err(refused)?;
    let accept = Accept::read(visitor.headers()).map_err(refused)?;
    visitor.info.streams = accept.events;
    visitor.info.headers = Some(mirrored::keep(visitor.headers()));
    answer(visitor, route, session, message, accept).await
}

async fn answer(
    visitor: Visitor,
    route: Route,
    session: Option<Arc<Session>>,
    message: Message,
    accept: Accept,
) -> Result<Response<Body>, Rejected> {
    let Visitor {
        server, mount, info, ..
    } = visitor;
    let session = session.filter(|_| matches!(route, Route::Session(_)));
    let connection = match &session {
        Some(session) => server.resume(info, session.clone()),
        None => server.connect(info),
    };
    let settings = server.settings();
    let id = message.id().cloned();
    let mut response = match (connection.serve(mount, route, message).await, session) {
        (Reply::Nothing, _) => empty(StatusCode::ACCEPTED),
        (Reply::One(answer), _) if accept.json || answer.status != 200 => json(answer),
        (Reply::One(answer), _) => {
            let frame = sse::message(&answer.body);
            sse::respond(stream::iter([frame]), settings.keep_alive)
        }
        (Reply::Stream(messages), Some(session)) => {
            let reader = session.streams().answer(messages, id, &server.shared().calls);
            resumable::respond(reader, session.revision(), settings)
        }
        (Reply::Stream(messages), None) => {
            let frames = messages.map(|message| sse::message(&message));
            sse::respond(frames, settings.keep_alive)
        }
    };
    if route == Route::Open {
        keep(&server, &connection, &mut response).await;
    }
    Ok(response)
}

/// Keeps the session that `initialize` has opened, if it has, and names it to the client.
async fn keep(server: &crate::Server, connection: &Connection, response: &mut Response<Body>) {
    let Some(session) = connection.session() else {
        return;
    };
    let id = HeaderValue::from_str(session.id().as_str()).expect("hexadecimal digits are a header value");
    response.headers_mut().insert(SESSION, id);
    server.sessions().open(session).await;
}
