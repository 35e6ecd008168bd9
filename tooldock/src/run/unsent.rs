//! The memory of answers that their clients have yet to take.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{sync::Notify, time::sleep};

use super::stall::Stall;

/// How long a connection may stand still while there is too much.
const STILL: Duration = Duration::from_secs(1);

/// The memory of answers that their clients have yet to take (`MAX_ANSWERS_BYTES`). Clones are the same memory.
#[derive(Debug, Clone)]
pub(super) struct Unsent(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    bytes: AtomicUsize,
    crowded: Notify,
}

/// Bytes that are counted until this is dropped.
pub(super) struct Held {
    unsent: Unsent,
    bytes: usize,
}

impl Unsent {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Shared {
            most,
            bytes: AtomicUsize::new(0),
            crowded: Notify::new(),
        }))
    }

    /// Counts more. When that is too much, connections that stand still are asked to end.
    pub(super) fn hold(&self, bytes: usize) -> Held {
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
        if self.is_crowded() {
            self.0.crowded.notify_waiters();
        }
        Held {
            unsent: self.clone(),
            bytes,
        }
    }

    /// Returns when there is too much, and the connection that `stall` watches stands still.
    pub(super) async fn wanted(&self, stall: &Stall) {
        loop {
            // Whoever is told from here on is heard.
            let crowded = self.0.crowded.notified();
            if !self.is_crowded() {
                crowded.await;
            } else if stall.lasts(STILL) {
                return;
            } else {
                sleep(STILL).await;
            }
        }
    }

    pub(super) fn is_crowded(&self) -> bool {
        self.0.bytes.load(Ordering::Relaxed) > self.0.most
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.unsent.0.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
