//! Which era a message belongs to, and whether it may be answered: one pure function.

mod exchange;
mod headers;
mod modern;
mod stated;
#[cfg(test)]
mod tests;

use self::stated::Stated;
pub use self::{
    exchange::{Ask, Exchange, Route, SessionFact},
    headers::{Headers, Single},
};
use crate::{
    refusal::{Refusal, code},
    revision::{Era, Feature},
    wire::{Message, Params},
};

/// Decides what to do with an exchange.
///
/// # Errors
/// The refusal; every one of them happens before anything is done.
pub fn classify(exchange: &Exchange<'_>) -> Result<Route, Refusal> {
    match exchange.ask {
        Ask::Send(Message::Request(request)) => of_request(exchange, &request.method, &request.params),
        Ask::Send(Message::Notification(told)) => of_notification(exchange, &told.params),
        Ask::Send(Message::Response(_)) if exchange.session == SessionFact::Unnamed => Err(Refusal::bad(
            code::INVALID_REQUEST,
            "a response belongs to a session, and this request names none",
        )),
        Ask::Send(Message::Batch(_)) => match in_session(exchange)? {
            Route::Session(revision) if !revision.has(Feature::Batches) => Err(Refusal::bad(
                code::INVALID_REQUEST,
                "only sessions of 2025-03-26 have batches; send one message per request",
            )),
            route => Ok(route),
        },
        Ask::Watch | Ask::End if exchange.is_sessionless() => Err(Refusal::new(
            405,
            code::INVALID_REQUEST,
            "only POST is served: this revision has no sessions, hence nothing to watch or to end",
        )),
        Ask::Send(Message::Response(_)) | Ask::Watch | Ask::End => in_session(exchange),
    }
}

fn of_request(exchange: &Exchange<'_>, method: &str, params: &Params) -> Result<Route, Refusal> {
    if params.meta().is_claim() {
        return modern::check(exchange, method, params);
    }
    let initialize = method == "initialize";
    match exchange.stated() {
        Stated::Modern if initialize => Err(Refusal::bad(
            code::HEADER_MISMATCH,
            "`MCP-Protocol-Version` names a revision that has no `initialize`; leave the header out to open a session",
        )),
        Stated::Modern => Err(Refusal::bad(
            code::INVALID_PARAMS,
            "`params._meta` lacks `io.modelcontextprotocol/protocolVersion`, which every request of this revision carries",
        )),
        _ if initialize => opening(exchange),
        Stated::Foreign(name) => Err(exchange.unsupported(name)),
        _ => in_session(exchange),
    }
}

fn of_notification(exchange: &Exchange<'_>, params: &Params) -> Result<Route, Refusal> {
    if exchange.headers.is_none() && params.meta().is_claim() {
        return Ok(exchange
            .spoken
            .newest(Era::Modern)
            .map_or(Route::Drop, Route::Modern));
    }
    match exchange.stated() {
        _ if params.meta().is_claim() => Ok(Route::Drop),
        Stated::Modern | Stated::Foreign(_) => Ok(Route::Drop),
        Stated::Nothing | Stated::Handshake(_) => in_session(exchange),
    }
}

/// The header is not looked at: what is spoken is agreed on only now.
fn opening(exchange: &Exchange<'_>) -> Result<Route, Refusal> {
    exchange.handshake_era()?;
    match exchange.session {
        SessionFact::Unknown => Err(unknown_session()),
        SessionFact::Unnamed | SessionFact::Open(_) => Ok(Route::Open),
    }
}

fn in_session(exchange: &Exchange<'_>) -> Result<Route, Refusal> {
    exchange.handshake_header()?;
    match exchange.session {
        SessionFact::Open(revision) => Ok(Route::Session(revision)),
        SessionFact::Unknown => Err(unknown_session()),
        SessionFact::Unnamed => Err(Refusal::bad(
            code::INVALID_REQUEST,
            "no session: send `initialize` first and repeat the `Mcp-Session-Id` of its answer, or describe the request in `params._meta` as 2026-07-28 does",
        )),
    }
}

fn unknown_session() -> Refusal {
    Refusal::new(
        404,
        code::INVALID_REQUEST,
        "the session is unknown or has ended; send `initialize` without `Mcp-Session-Id` to open another",
    )
}
