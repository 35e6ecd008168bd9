//! DELETE: the end of a session.

use axum::body::Body;
use http::{Response, StatusCode};

use super::{
    exchange::Visitor,
    response::{Rejected, empty},
};
use crate::era::{Ask, Exchange, Headers, classify};

pub(super) async fn serve(visitor: &Visitor) -> Result<Response<Body>, Rejected> {
    let (fact, session) = visitor.session().await?;
    let asked = classify(&Exchange {
        ask: Ask::End,
        headers: Some(Headers::read(visitor.headers())),
        session: fact,
        spoken: visitor.server.settings().revisions,
    });
    asked.map_err(Rejected::of_verb)?;
    if let Some(session) = session {
        visitor
            .server
            .sessions()
            .close(session.id().as_str(), &visitor.owner())
            .await;
    }
    Ok(empty(StatusCode::NO_CONTENT))
}
