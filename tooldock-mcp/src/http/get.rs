//! GET: a stream of what the server sends on its own.

use axum::body::Body;
use http::Response;

use super::{
    exchange::Visitor,
    response::{ALLOWED, ALLOWED_SESSIONLESS, Rejected},
};
use crate::{
    era::{Ask, Exchange, Headers, SessionFact, classify},
    refusal::{Refusal, code},
};

/// The server sends nothing on its own yet, so there is no stream to open.
pub(super) fn serve(visitor: &Visitor) -> Result<Response<Body>, Rejected> {
    let asked = classify(&Exchange {
        ask: Ask::Watch,
        headers: Some(Headers::read(visitor.headers())),
        session: SessionFact::Unnamed,
        spoken: visitor.server.settings().revisions,
    });
    match asked {
        Err(refusal) if refusal.status() == 405 => Err(Rejected::from(refusal).allowing(ALLOWED_SESSIONLESS)),
        _ => {
            let text =
                "there is no stream to open with GET: the server sends nothing that answers no request";
            Err(Rejected::from(Refusal::new(405, code::INVALID_REQUEST, text)).allowing(ALLOWED))
        }
    }
}
