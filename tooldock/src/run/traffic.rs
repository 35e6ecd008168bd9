//! What is counted of connections and of what is refused on them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use http::StatusCode;

/// The first status that is a refusal, and how many there can be.
const FIRST: u16 = 400;
const STATUSES: usize = 200;

/// Counts connections and refusals of a server. Clones count together.
#[derive(Debug, Clone)]
pub(crate) struct Traffic(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    accepted: AtomicU64,
    ended: AtomicU64,
    refused: [AtomicU64; STATUSES],
}

impl Default for Traffic {
    fn default() -> Self {
        Self(Arc::new(Counts {
            accepted: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            refused: [const { AtomicU64::new(0) }; STATUSES],
        }))
    }
}

impl Traffic {
    /// One more connection, which is open until the guard is dropped.
    pub(super) fn accept(&self) -> Open {
        self.0.accepted.fetch_add(1, Ordering::Relaxed);
        Open(self.clone())
    }

    /// A request was answered.
    pub(super) fn answer(&self, status: StatusCode) {
        let place = status.as_u16().checked_sub(FIRST).map(usize::from);
        if let Some(count) = place.and_then(|place| self.0.refused.get(place)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Connections that were accepted.
    pub(crate) fn accepted(&self) -> u64 {
        self.0.accepted.load(Ordering::Relaxed)
    }

    /// Connections that are open.
    pub(crate) fn open(&self) -> u64 {
        // In this order, or there might be fewer than none.
        let ended = self.0.ended.load(Ordering::Acquire);
        self.accepted().saturating_sub(ended)
    }

    /// How often each status from 400 on was answered, where it was.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (u16, u64)> {
        let counts = (FIRST..).zip(&self.0.refused);
        let counts = counts.map(|(status, count)| (status, count.load(Ordering::Relaxed)));
        counts.filter(|(_, count)| *count > 0)
    }
}

/// A connection that is open.
#[derive(Debug)]
pub(super) struct Open(Traffic);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.0.ended.fetch_add(1, Ordering::Release);
    }
}
