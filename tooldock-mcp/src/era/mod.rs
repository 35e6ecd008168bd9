//! Which era a message belongs to, and whether it may be answered: one pure function.

mod headers;
mod modern;
#[cfg(test)]
mod table_tests;

pub use self::headers::{Headers, Single};
use crate::{
    refusal::{Refusal, code},
    revision::{Era, Revision, Revisions},
    wire::{Message, Params},
};

/// Everything the decision depends on.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    /// What is asked.
    pub ask: Ask<'a>,
    /// What the headers say; none on a transport without headers.
    pub headers: Option<Headers<'a>>,
    /// What is known of the session the exchange names.
    pub session: SessionFact,
    /// The revisions that are spoken.
    pub spoken: Revisions,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub enum Ask<'a> {
    /// A message is sent (HTTP POST).
    Send(&'a Message),
    /// A stream of the session is wanted (HTTP GET).
    Watch,
    /// The session shall end (HTTP DELETE).
    End,
}

/// What is known of the session that an exchange names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionFact {
    /// It names none.
    Unnamed,
    /// There is none of that name for this caller in this namespace.
    Unknown,
    /// It is open.
    Open(Revision),
}

/// What to do with an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Answer it by itself.
    Modern(Revision),
    /// Answer `initialize`.
    Open,
    /// Answer it within its session.
    Session(Revision),
    /// Take it and do nothing.
    Drop,
}

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
        Ask::Send(Message::Batch(_)) => Err(Refusal::bad(
            code::INVALID_REQUEST,
            "batches are not taken here; send one message per request",
        )),
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
        Stated::Foreign(name) if !initialize => Err(exchange.unsupported(name)),
        _ if initialize => opening(exchange),
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

fn opening(exchange: &Exchange<'_>) -> Result<Route, Refusal> {
    exchange.handshake_header()?;
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

/// What the version header states.
enum Stated<'a> {
    Nothing,
    Modern,
    Handshake(Revision),
    Foreign(&'a str),
}

impl<'a> Exchange<'a> {
    fn stated(&self) -> Stated<'a> {
        let name = match self.headers.map(|headers| headers.version) {
            None | Some(Single::Absent) => return Stated::Nothing,
            Some(Single::One(name)) => name,
            Some(Single::Unclear) => "",
        };
        match Revision::named(name) {
            Some(revision) if revision.era() == Era::Modern => Stated::Modern,
            Some(revision) => Stated::Handshake(revision),
            None => Stated::Foreign(name),
        }
    }

    fn is_sessionless(&self) -> bool {
        matches!(self.stated(), Stated::Modern) || self.spoken.newest(Era::Handshake).is_none()
    }

    fn handshake_header(&self) -> Result<(), Refusal> {
        if self.spoken.newest(Era::Handshake).is_none() {
            return Err(self.unsupported(""));
        }
        match self.stated() {
            Stated::Nothing => Ok(()),
            Stated::Handshake(revision) if self.spoken.has(revision) => Ok(()),
            Stated::Handshake(_) | Stated::Modern | Stated::Foreign(_) => Err(Refusal::bad(
                code::INVALID_REQUEST,
                format!(
                    "`MCP-Protocol-Version` names no revision with sessions that is spoken here; there is {}",
                    listed(self.spoken.of_era(Era::Handshake))
                ),
            )),
        }
    }

    /// The refusal of a revision that is not spoken; `requested` is what the peer named, if anything.
    fn unsupported(&self, requested: &str) -> Refusal {
        let spoken = self.spoken.of_era(Era::Modern);
        let names: Vec<&str> = spoken.map(Revision::as_str).collect();
        let requested: String = requested.chars().take(64).collect();
        Refusal::bad(
            code::UNSUPPORTED_VERSION,
            format!(
                "the protocol revision is not spoken here; there is {}",
                listed(self.spoken.iter())
            ),
        )
        .with_data(serde_json::json!({"supported": names, "requested": requested}).into())
    }
}

fn listed(revisions: impl Iterator<Item = Revision>) -> String {
    revisions
        .map(|revision| format!("`{revision}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
