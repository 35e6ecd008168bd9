//! What an analysis may cost.

use std::time::Duration;

/// Limits of one analysis.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Bounds {
    /// How long all of it may take; the last fifth is for finding tools in what is parsed.
    pub time: Duration,
    /// How long parsing one file may take.
    pub file_time: Duration,
    /// Bytes of source code that are parsed; the rest is searched for addresses and variables only.
    pub parsed_bytes: usize,
    /// Tools that are told of.
    pub tools: usize,
    /// Files, dependencies and addresses that are told of, each.
    pub listed: usize,
}

impl Default for Bounds {
    /// 15 s, 5 s a file, 24 MiB parsed, 1,000 tools, 300 of everything else.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(15),
            file_time: Duration::from_secs(5),
            parsed_bytes: 24 << 20,
            tools: 1_000,
            listed: 300,
        }
    }
}
