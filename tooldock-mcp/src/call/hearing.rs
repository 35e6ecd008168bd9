//! What the client of a call wants to hear and can be asked right now.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tooldock_engine::context::Note;

use super::Wishes;
use crate::input::Abilities;

/// What the client of a call wants to hear and can be asked right now; another request of the client may change it. Clones are one.
#[derive(Debug, Clone)]
pub(crate) struct Hearing(Arc<Mutex<(Wishes, Abilities)>>);

impl Hearing {
    pub(crate) fn new(wishes: Wishes, abilities: Abilities) -> Self {
        Self(Arc::new(Mutex::new((wishes, abilities))))
    }

    fn lock(&self) -> MutexGuard<'_, (Wishes, Abilities)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, wishes: Wishes, abilities: Abilities) {
        *self.lock() = (wishes, abilities);
    }

    /// Wants nothing any more.
    pub(crate) fn hush(&self) {
        self.lock().0 = Wishes::default();
    }

    pub(crate) fn abilities(&self) -> Abilities {
        self.lock().1
    }

    pub(crate) fn wants(&self, note: &Note) -> bool {
        let (wishes, _) = &*self.lock();
        match note {
            Note::Progress { .. } => wishes.progress.is_some(),
            Note::Log { level, .. } => wishes.level.is_some_and(|least| *level >= least),
            _ => false,
        }
    }
}
