//! What a client has been told.

use std::sync::{Mutex, PoisonError};

use crate::pages::Fingerprint;

/// Which list of tools a client has last been told of, so that each change is told once.
#[derive(Debug, Default)]
pub(crate) struct Told(Mutex<Option<Fingerprint>>);

impl Told {
    /// Takes for told what the client can know already.
    pub(crate) fn set(&self, known: Option<Fingerprint>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// Whether `seen` is still to be told. If so it is the teller's to do that: nobody else is asked to.
    pub(crate) fn replace(&self, seen: Fingerprint) -> bool {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.replace(seen) != Some(seen)
    }
}
