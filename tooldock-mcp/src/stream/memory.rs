//! Events in the memory of this process.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;

use super::{Event, EventId, EventLog, ReplayLimits};
use crate::session::SessionId;

/// Events in the memory of this process, within [`ReplayLimits`].
#[derive(Debug)]
pub struct MemoryEvents {
    limits: ReplayLimits,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    sessions: HashMap<SessionId, Kept>,
    /// Whose the events of all sessions are, the oldest first.
    order: BTreeMap<u64, SessionId>,
    appended: u64,
    bytes: usize,
}

/// What is kept of a session, the oldest first.
#[derive(Debug, Default)]
struct Kept {
    events: VecDeque<(u64, Event)>,
    bytes: usize,
}

/// What an event takes besides its message.
const OVERHEAD: usize = 128;

fn size(event: &Event) -> usize {
    event.message.len() + OVERHEAD
}

impl State {
    /// Drops the oldest event of a session.
    fn drop_oldest(&mut self, session: &SessionId) {
        let Some(kept) = self.sessions.get_mut(session) else {
            return;
        };
        if let Some((place, event)) = kept.events.pop_front() {
            kept.bytes -= size(&event);
            self.bytes -= size(&event);
            self.order.remove(&place);
        }
        if kept.events.is_empty() {
            self.sessions.remove(session);
        }
    }

    fn is_full(&self, session: &SessionId, size: usize, limits: &ReplayLimits) -> bool {
        self.sessions
            .get(session)
            .is_some_and(|kept| kept.events.len() >= limits.events || kept.bytes + size > limits.bytes)
    }
}

impl MemoryEvents {
    /// An empty log.
    #[must_use]
    pub fn new(limits: ReplayLimits) -> Self {
        Self {
            limits,
            state: Mutex::default(),
        }
    }

    /// Whether nothing is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.change(|state| state.order.is_empty())
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl EventLog for MemoryEvents {
    async fn append(&self, session: &SessionId, event: Event) {
        let (limits, size) = (&self.limits, size(&event));
        if limits.events == 0 || size > limits.bytes.min(limits.total_bytes) {
            return;
        }
        self.change(|state| {
            while state.is_full(session, size, limits) {
                state.drop_oldest(session);
            }
            while state.bytes + size > limits.total_bytes
                && let Some(oldest) = state.order.values().next().cloned()
            {
                state.drop_oldest(&oldest);
            }
            state.appended += 1;
            state.bytes += size;
            state.order.insert(state.appended, session.clone());
            let kept = state.sessions.entry(session.clone()).or_default();
            kept.bytes += size;
            kept.events.push_back((state.appended, event));
        });
    }

    async fn after(&self, session: &SessionId, last: EventId) -> Vec<Event> {
        self.change(|state| {
            let kept = state.sessions.get(session).map(|kept| &kept.events);
            let events = kept.into_iter().flatten().map(|(_, event)| event);
            let later = |event: &&Event| event.id.stream == last.stream && event.id.number > last.number;
            events.filter(later).cloned().collect()
        })
    }

    fn forget(&self, session: &SessionId) {
        self.change(|state| {
            let Some(kept) = state.sessions.remove(session) else {
                return;
            };
            state.bytes -= kept.bytes;
            for (place, _) in &kept.events {
                state.order.remove(place);
            }
        });
    }
}
