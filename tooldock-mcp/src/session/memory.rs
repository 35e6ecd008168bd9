//! Sessions in the memory of this process.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use tokio::time::Instant;

use super::{Owner, Session, SessionId, SessionLimits, SessionStore, order::Order};

/// Sessions in the memory of this process, within [`SessionLimits`].
///
/// Sessions that have expired are looked for whenever the store is used, at most every ten seconds.
#[derive(Debug)]
pub struct MemorySessions {
    limits: SessionLimits,
    state: Mutex<State>,
}

const SWEEP: Duration = Duration::from_secs(10);

#[derive(Debug)]
struct State {
    entries: HashMap<SessionId, Entry>,
    order: Order,
    swept: Instant,
}

#[derive(Debug)]
struct Entry {
    session: Arc<Session>,
    opened: Instant,
    /// When its last request came.
    used: Instant,
    /// Its place in the order.
    place: u64,
}

impl Entry {
    fn has_expired(&self, now: Instant, limits: &SessionLimits) -> bool {
        let busy = self.session.is_busy();
        let used = self.session.last_use().max(Some(self.used)).unwrap_or(now);
        let quiet = now.saturating_duration_since(used);
        let idle = quiet >= limits.idle && !busy;
        let unused = quiet >= limits.uninitialized && !self.session.is_initialized();
        idle || unused
            || now.saturating_duration_since(self.opened) >= limits.absolute
            || !self.session.is_open()
    }
}

impl State {
    fn remove(&mut self, id: &str) -> bool {
        let Some(entry) = self.entries.remove(id) else {
            return false;
        };
        self.order.remove(&entry.session.owner().principal, entry.place);
        entry.session.end();
        true
    }

    fn sweep(&mut self, limits: &SessionLimits) {
        let now = Instant::now();
        if now.saturating_duration_since(self.swept) < SWEEP {
            return;
        }
        self.swept = now;
        let expired = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.has_expired(now, limits));
        let expired: Vec<SessionId> = expired.map(|(id, _)| id.clone()).collect();
        for id in expired {
            self.remove(id.as_str());
        }
    }
}

impl MemorySessions {
    /// An empty store.
    #[must_use]
    pub fn new(limits: SessionLimits) -> Self {
        Self {
            limits,
            state: Mutex::new(State {
                entries: HashMap::new(),
                order: Order::default(),
                swept: Instant::now(),
            }),
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.sweep(&self.limits);
        change(&mut state)
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl SessionStore for MemorySessions {
    async fn open(&self, session: Arc<Session>) {
        let principal = &session.owner().principal;
        let limits = &self.limits;
        self.change(|state| {
            while let Some(id) = state.order.surplus(principal, limits.total, limits.per_principal) {
                state.remove(id.as_str());
            }
            let now = Instant::now();
            let place = state.order.add(principal, session.id());
            let (opened, used) = (now, now);
            let entry = Entry {
                session: session.clone(),
                opened,
                used,
                place,
            };
            state.entries.insert(session.id().clone(), entry);
        });
    }

    async fn find(&self, id: &str, owner: &Owner) -> Option<Arc<Session>> {
        self.change(|state| {
            let entry = state
                .entries
                .get_mut(id)
                .filter(|entry| entry.session.owner() == owner)?;
            let now = Instant::now();
            if entry.has_expired(now, &self.limits) {
                state.remove(id);
                return None;
            }
            state.order.remove(&owner.principal, entry.place);
            entry.place = state.order.add(&owner.principal, entry.session.id());
            entry.used = now;
            Some(entry.session.clone())
        })
    }

    async fn close(&self, id: &str, owner: &Owner) -> bool {
        self.change(|state| {
            let own = state
                .entries
                .get(id)
                .is_some_and(|entry| entry.session.owner() == owner);
            own && state.remove(id)
        })
    }

    async fn clear(&self) {
        self.change(|state| {
            let ids: Vec<SessionId> = state.entries.keys().cloned().collect();
            for id in ids {
                state.remove(id.as_str());
            }
        });
    }

    async fn count(&self) -> usize {
        self.change(|state| state.entries.len())
    }
}
