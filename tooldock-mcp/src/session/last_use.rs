//! When something was last in use.

use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

/// When the last of several overlapping uses ended, if any has.
#[derive(Debug, Default)]
pub(crate) struct LastUse(Mutex<Option<Instant>>);

impl LastUse {
    /// Notes that a use ends now. Whoever asks whether there still is one must see this before it sees that there is none.
    pub(crate) fn stamp(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    pub(crate) fn get(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
