//! The calls of one conversation that run.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{session::LastUse, wire::MessageId};

/// The calls of one conversation that run, by the ids their client gave them.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    running: Mutex<HashMap<MessageId, CancellationToken>>,
    last_use: LastUse,
}

/// A call's entry, taken out when it is dropped.
#[derive(Debug)]
pub(crate) struct Entered {
    calls: Arc<Calls>,
    id: MessageId,
}

impl Calls {
    /// Enters a call; nothing if one of the same id still runs.
    pub(crate) fn enter(self: &Arc<Self>, id: &MessageId, cancel: CancellationToken) -> Option<Entered> {
        match self.lock().entry(id.clone()) {
            Entry::Occupied(_) => return None,
            Entry::Vacant(place) => place.insert(cancel),
        };
        Some(Entered {
            calls: self.clone(),
            id: id.clone(),
        })
    }

    /// Cancels the call of that id, if it runs.
    pub(crate) fn cancel(&self, id: &MessageId) {
        let token = self.lock().get(id).cloned();
        if let Some(token) = token {
            token.cancel();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// When the last call ended, if any has.
    pub(crate) fn last_use(&self) -> Option<Instant> {
        self.last_use.get()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MessageId, CancellationToken>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entered {
    /// From now on the entry cancels what `cancel` ends.
    pub(crate) fn stands_for(&self, cancel: CancellationToken) {
        self.calls.lock().insert(self.id.clone(), cancel);
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.calls.last_use.stamp();
        self.calls.lock().remove(&self.id);
    }
}
