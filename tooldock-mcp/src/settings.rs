//! What can be set about a server, and the limits it keeps.

use std::time::Duration;

use tooldock_engine::json::ScanLimits;

use crate::{
    input::InputLimits,
    revision::{Feature, Revision, Revisions},
    session::SessionLimits,
    stream::ReplayLimits,
};

/// What can be set about a server, and the limits it keeps.
///
/// ```
/// use tooldock_mcp::Settings;
/// let mut settings = Settings::default();
/// settings.page_size = 100;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The revisions that are spoken.
    pub revisions: Revisions,
    /// Whether the transport of 2024-11-05 is to be served beside the others. Whoever mounts the routers minds it.
    pub legacy: bool,
    /// How many tools one page of `tools/list` has: 1,000.
    pub page_size: usize,
    /// How long a client of 2026-07-28 may reuse a list without asking again: 0, so that every client sees a change with its next listing.
    /// Where all clients keep a `subscriptions/listen` open, which tells them of changes, a minute saves listings.
    pub list_ttl: Duration,
    /// How long an answer may be silent before an event stream is opened, and before a comment keeps it open: 15 s.
    pub keep_alive: Duration,
    /// How many streams that answer no call may be open at once: 10,000.
    pub streams: usize,
    /// How many of them one principal may have open, in all his sessions together: 1,000.
    pub streams_per_principal: usize,
    /// How many resources one session or one subscription may watch: 100.
    pub resource_watches: usize,
    /// Bytes of one message: 4 MiB. A layer in front may allow less.
    pub message_bytes: usize,
    /// Depth and count of the values of one message.
    pub message_limits: ScanLimits,
    /// How many messages one batch of 2025-03-26 may have: 100.
    pub batch_messages: usize,
    /// How many messages of one client of the transport of 2024-11-05 may be in work: 64.
    pub legacy_messages: usize,
    /// How many sessions there may be, and for how long.
    pub sessions: SessionLimits,
    /// How long and how often clients are asked.
    pub input: InputLimits,
    /// How much is kept for clients that come back.
    pub replay: ReplayLimits,
    /// How long a client of 2025-11-25 is to wait before it comes back to a stream that has ended early: 1 s.
    pub retry: Duration,
    /// How long the stream of a call of 2025-11-25 is carried by one connection; then the connection ends, and the client comes back for
    /// the rest. Without it, for as long as the call takes. A call that is silent for so long begins its stream then.
    pub poll_after: Option<Duration>,
}

impl Settings {
    /// How long an answer for a client of `revision` may be silent before an event stream is opened.
    pub(crate) fn patience(&self, revision: Revision) -> Duration {
        let poll = self.poll_after.filter(|_| revision.has(Feature::Polling));
        poll.map_or(self.keep_alive, |after| after.min(self.keep_alive))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            revisions: Revisions::default(),
            legacy: true,
            page_size: 1000,
            list_ttl: Duration::ZERO,
            keep_alive: Duration::from_secs(15),
            streams: 10_000,
            streams_per_principal: 1000,
            resource_watches: 100,
            message_bytes: 4 << 20,
            message_limits: ScanLimits::MESSAGE,
            batch_messages: 100,
            legacy_messages: 64,
            sessions: SessionLimits::default(),
            input: InputLimits::default(),
            replay: ReplayLimits::default(),
            retry: Duration::from_secs(1),
            poll_after: None,
        }
    }
}
