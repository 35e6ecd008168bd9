//! How many requests run, and how many wait for their turn.

use std::{convert::Infallible, sync::Arc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tooldock_engine::context::Clock;

/// The gates of one namespace.
#[derive(Debug)]
pub(super) struct Gates {
    /// What each of them lets run.
    pub(super) running: usize,
    /// For calls that hold no thread.
    pub(super) flowing: Gate,
    /// For everything that may hold one.
    pub(super) blocking: Gate,
}

impl Gates {
    /// Gates that let `running` requests run and as many as `waiting` wait, each.
    pub(super) fn new(running: usize, waiting: usize) -> Self {
        Self {
            running,
            flowing: Gate::new(running, waiting),
            blocking: Gate::new(running, waiting),
        }
    }
}

#[derive(Debug)]
pub(super) struct Gate {
    /// Fair: a permit that becomes free goes to the one who has waited longest.
    permits: Arc<Semaphore>,
    /// Places in the queue.
    places: Semaphore,
}

impl Gate {
    fn new(running: usize, waiting: usize) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(running)),
            places: Semaphore::new(waiting.min(Semaphore::MAX_PERMITS)),
        }
    }

    /// A permit, if one is free and nobody waits for it.
    pub(super) fn try_permit(&self) -> Option<OwnedSemaphorePermit> {
        self.permits.clone().try_acquire_owned().ok()
    }

    /// A place in the queue, if one is free.
    pub(super) fn place(&self) -> Option<SemaphorePermit<'_>> {
        self.places.try_acquire().ok()
    }

    /// Waits for a permit.
    pub(super) async fn permit(&self) -> OwnedSemaphorePermit {
        let permit = self.permits.clone().acquire_owned().await;
        permit.expect("nobody closes the semaphore")
    }

    /// Holds `permit` while `clock` goes and gives it back while `clock` stands still.
    pub(super) async fn keep(&self, clock: &Clock, permit: OwnedSemaphorePermit) -> Infallible {
        let mut held = Some(permit);
        loop {
            clock.until_paused(true).await;
            drop(held.take());
            clock.until_paused(false).await;
            held = tokio::select! {
                permit = self.permit() => Some(permit),
                () = clock.until_paused(true) => None,
            };
        }
    }
}
