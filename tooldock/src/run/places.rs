//! Places for connections.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::head::HeadClock;

/// How long a connection may be idle while others want its place.
const IDLE: Duration = Duration::from_secs(1);

/// Places for connections. Clones are the same places.
#[derive(Debug, Clone)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    crowded: Arc<Notify>,
}

impl Places {
    pub(super) fn new(count: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS))),
            crowded: Arc::default(),
        }
    }

    /// Takes a place. While there is none, connections that are idle are asked for theirs.
    pub(super) async fn take(&self) -> OwnedSemaphorePermit {
        if let Ok(place) = self.free.clone().try_acquire_owned() {
            return place;
        }
        loop {
            self.crowded.notify_waiters();
            if let Ok(place) = timeout(IDLE, self.free.clone().acquire_owned()).await {
                return place.expect("the semaphore is never closed");
            }
        }
    }

    /// Returns when somebody wants the place of the connection that `clock` watches, which is idle.
    pub(super) async fn wanted(&self, clock: &HeadClock) {
        loop {
            self.crowded.notified().await;
            if clock.is_idle(IDLE) {
                return;
            }
        }
    }
}
