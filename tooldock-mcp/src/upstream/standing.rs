//! What a client has asked for in its session once and for all: a log level, resources that it watches.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tooldock_engine::RawJson;

use crate::wire::Request;

/// Watched resources that are remembered.
const WATCHED: usize = 1000;

/// The requests of a client that count for the whole of its session, so that a session that has to be opened again is the same to it.
#[derive(Debug, Default)]
pub(super) struct Standing(Mutex<Wishes>);

#[derive(Debug, Default)]
struct Wishes {
    level: Option<RawJson>,
    /// By address.
    watched: BTreeMap<String, RawJson>,
}

impl Standing {
    /// Remembers `request`, which was sent as `json`, if it counts for longer than its answer.
    pub(super) fn note(&self, request: &Request, json: &RawJson) {
        let uri = || request.params.text("uri");
        match &*request.method {
            "logging/setLevel" => self.lock().level = Some(json.detached()),
            "resources/subscribe" if self.lock().watched.len() < WATCHED => {
                uri().map(|uri| self.lock().watched.insert(uri, json.detached()));
            }
            "resources/unsubscribe" => {
                uri().map(|uri| self.lock().watched.remove(&uri));
            }
            _ => {}
        }
    }

    /// Everything that a new session has to be told, as it was sent.
    pub(super) fn all(&self) -> Vec<RawJson> {
        let wishes = self.lock();
        let level = wishes.level.iter().cloned();
        level.chain(wishes.watched.values().cloned()).collect()
    }

    /// Forgets it: the client has opened another session.
    pub(super) fn clear(&self) {
        *self.lock() = Wishes::default();
    }

    fn lock(&self) -> MutexGuard<'_, Wishes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
