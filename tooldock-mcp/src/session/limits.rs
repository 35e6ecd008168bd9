//! How many sessions there may be, and for how long.

use std::time::Duration;

/// How many sessions there may be, and for how long. Start from the default and change what differs.
///
/// ```
/// use tooldock_mcp::session::{MemorySessions, SessionLimits};
/// let mut limits = SessionLimits::default();
/// limits.per_principal = 10;
/// let sessions = MemorySessions::new(limits);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// Of everybody: 10,000. The one that was used least recently makes room.
    pub total: usize,
    /// Of one principal: 1,000. The one of his that was used least recently makes room.
    pub per_principal: usize,
    /// Streams of one session that answer no call, at one time: 8. Of more, the oldest ends.
    pub streams: usize,
    /// Without a request, a running call and an open stream, counted from the end of the last of them: 30 minutes.
    pub idle: Duration,
    /// From `initialize` to the next message: 60 s.
    pub uninitialized: Duration,
    /// From `initialize` on, whatever happens: 24 hours.
    pub absolute: Duration,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            total: 10_000,
            per_principal: 1000,
            streams: 8,
            idle: Duration::from_secs(30 * 60),
            uninitialized: Duration::from_secs(60),
            absolute: Duration::from_secs(24 * 60 * 60),
        }
    }
}
