//! Where a load goes, and through which door.

use std::net::SocketAddr;

/// What a client does once per measured call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    /// `tools/call` in 2026-07-28.
    Modern,
    /// `tools/call` in a session of 2025-11-25 that was opened before.
    Session,
    /// A session of 2025-11-25: `initialize`, `notifications/initialized`, one `tools/call`.
    NewSession,
    /// `tools/list` in 2026-07-28.
    List,
    /// A tool over REST.
    Rest,
    /// A line of JSON over a socket.
    Lines,
}

/// A door at an address.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    /// The path of requests.
    pub(crate) path: String,
    /// What is done there.
    pub(crate) door: Door,
}
