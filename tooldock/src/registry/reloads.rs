//! How many reloads there were.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many reloads have ended, by how they went. Requests that were answered together are one.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Reloads {
    /// Everything could be loaded.
    pub ok: AtomicU64,
    /// The source, or something in it, could not be loaded.
    pub failed: AtomicU64,
}

impl Reloads {
    pub(super) fn count(&self, ok: bool) {
        let counter = if ok { &self.ok } else { &self.failed };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}
