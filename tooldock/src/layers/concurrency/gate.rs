//! How many requests run, and how many wait for their turn.

use std::{convert::Infallible, sync::Arc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tooldock_engine::context::Clock;

use super::turns::{Place, Turns, Whose};

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
    /// Gates that let `running` requests run, of those for which `total` has room, and as many as `waiting` wait, each.
    pub(super) fn new(running: usize, waiting: usize, total: &Turns) -> Self {
        Self {
            running,
            flowing: Gate::new(running, waiting, total.clone()),
            blocking: Gate::new(running, waiting, total.clone()),
        }
    }
}

/// A call may run: one of its namespace, and one of all.
#[derive(Debug)]
pub(super) struct Permit(
    #[expect(dead_code, reason = "it is held until it is dropped")] OwnedSemaphorePermit,
    #[expect(dead_code, reason = "it is held until it is dropped")] Place,
);

#[derive(Debug)]
pub(super) struct Gate {
    /// Fair: a permit that becomes free goes to the one who has waited longest.
    permits: Arc<Semaphore>,
    /// Of all namespaces.
    total: Turns,
    /// Places in the queue.
    places: Semaphore,
}

impl Gate {
    fn new(running: usize, waiting: usize, total: Turns) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(running)),
            total,
            places: Semaphore::new(waiting.min(Semaphore::MAX_PERMITS)),
        }
    }

    /// A permit, if one is free and nobody waits for it.
    pub(super) fn try_permit(&self) -> Option<Permit> {
        let own = self.permits.clone().try_acquire_owned().ok()?;
        let total = self.total.try_take()?;
        Some(Permit(own, total))
    }

    /// Whether all namespaces together run as many as they may.
    pub(super) fn lacks_total(&self) -> bool {
        self.total.are_taken()
    }

    /// A place in the queue, if one is free.
    pub(super) fn place(&self) -> Option<SemaphorePermit<'_>> {
        self.places.try_acquire().ok()
    }

    /// Waits for a permit: first for one of the namespace, so that a busy one does not stand in the way of the others with more than it
    /// may have running.
    pub(super) async fn permit(&self, whose: &Whose) -> Permit {
        let own = self.permits.clone().acquire_owned().await;
        let own = own.expect("nobody closes the semaphore");
        Permit(own, self.total.take(whose).await)
    }

    /// Holds `permit` while `clock` goes and gives it back while `clock` stands still.
    pub(super) async fn keep(&self, clock: &Clock, whose: &Whose, permit: Permit) -> Infallible {
        let mut held = Some(permit);
        loop {
            clock.until_paused(true).await;
            drop(held.take());
            clock.until_paused(false).await;
            held = tokio::select! {
                permit = self.permit(whose) => Some(permit),
                () = clock.until_paused(true) => None,
            };
        }
    }
}
