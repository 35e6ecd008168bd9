//! How much is kept for clients that come back.

/// How much is kept for clients that come back after their connection broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayLimits {
    /// Events of one session: 1,000.
    pub events: usize,
    /// Bytes of one session: 4 MiB.
    pub bytes: usize,
    /// Bytes of all sessions together: 256 MiB.
    pub total_bytes: usize,
}

impl Default for ReplayLimits {
    fn default() -> Self {
        Self {
            events: 1000,
            bytes: 4 << 20,
            total_bytes: 256 << 20,
        }
    }
}
