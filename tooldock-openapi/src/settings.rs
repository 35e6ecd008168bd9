//! What an operator can set.

use tooldock_engine::json::ScanLimits;

/// Limits of the REST routes. Start from the default and change what differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RestSettings {
    /// Bytes a request body may have (setting `MAX_BODY_BYTES`, 4 MiB).
    pub body_bytes: usize,
    /// How deep and wide the arguments may be (settings `MAX_JSON_DEPTH` and `MAX_JSON_VALUES`).
    pub json: ScanLimits,
}

impl Default for RestSettings {
    fn default() -> Self {
        Self {
            body_bytes: 4 << 20,
            json: ScanLimits::MESSAGE,
        }
    }
}
