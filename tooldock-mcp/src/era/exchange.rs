//! What the decision depends on, and what it can be.

use super::Headers;
use crate::{
    revision::{Revision, Revisions},
    wire::Message,
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
