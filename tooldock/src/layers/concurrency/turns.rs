//! Places for what runs in all namespaces together, given in turn to those who wait.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;
use tooldock_engine::{CallContext, NamespaceName, context::Principal};

/// For whom a place is wanted. Among namespaces turns are taken, and within each among principals.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Whose {
    pub(super) namespace: NamespaceName,
    pub(super) principal: Principal,
}

impl Whose {
    pub(super) fn of(cx: &CallContext) -> Self {
        Self {
            namespace: cx.namespace().clone(),
            principal: cx.caller().principal.clone(),
        }
    }
}

/// The places. Clones are the same.
#[derive(Debug, Clone)]
pub(super) struct Turns(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    free: usize,
    /// Namespaces for which somebody waits, in the order of their turns.
    order: VecDeque<NamespaceName>,
    within: HashMap<NamespaceName, Queues>,
}

/// Those who wait in one namespace.
#[derive(Debug, Default)]
struct Queues {
    /// Principals for whom somebody waits, in the order of their turns.
    order: VecDeque<Principal>,
    by: HashMap<Principal, VecDeque<Waiting>>,
}

type Waiting = oneshot::Sender<Place>;

/// One may run. It is given on when it is dropped.
#[derive(Debug)]
pub(super) struct Place(Turns);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.state().free += 1;
        self.0.give();
    }
}

impl Turns {
    pub(super) fn new(places: usize) -> Self {
        Self(Arc::new(Mutex::new(State {
            free: places,
            order: VecDeque::new(),
            within: HashMap::new(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all places are taken.
    pub(super) fn are_taken(&self) -> bool {
        self.state().free == 0
    }

    /// A place, if one is free and nobody waits.
    pub(super) fn try_take(&self) -> Option<Place> {
        let mut state = self.state();
        if state.free == 0 || !state.order.is_empty() {
            return None;
        }
        state.free -= 1;
        drop(state);
        Some(Place(self.clone()))
    }

    /// Waits for a place.
    pub(super) async fn take(&self, whose: &Whose) -> Place {
        let (given, place) = oneshot::channel();
        self.state().queue(whose, given);
        self.give();
        place
            .await
            .expect("whoever waits is in a queue until he has a place")
    }

    /// Gives the places that are free to those whose turn it is.
    fn give(&self) {
        loop {
            // Not held below: a place that nobody waits for any more comes back by its drop, which needs the lock.
            let next = self.state().grant();
            let Some(next) = next else { return };
            drop(next.send(Place(self.clone())));
        }
    }
}

impl State {
    fn queue(&mut self, whose: &Whose, waiting: Waiting) {
        if !self.within.contains_key(&whose.namespace) {
            self.order.push_back(whose.namespace.clone());
        }
        let queues = self.within.entry(whose.namespace.clone()).or_default();
        if !queues.by.contains_key(&whose.principal) {
            queues.order.push_back(whose.principal.clone());
        }
        let queue = queues.by.entry(whose.principal.clone()).or_default();
        queue.retain(|waiting| !waiting.is_closed());
        queue.push_back(waiting);
    }

    /// Takes a free place for the one whose turn it is.
    fn grant(&mut self) -> Option<Waiting> {
        if self.free == 0 {
            return None;
        }
        let next = self.next()?;
        self.free -= 1;
        Some(next)
    }

    /// Whose turn it is, and who comes after.
    fn next(&mut self) -> Option<Waiting> {
        while let Some(namespace) = self.order.pop_front() {
            let queues = self.within.get_mut(&namespace)?;
            let next = queues.next();
            if queues.by.is_empty() {
                self.within.remove(&namespace);
            } else {
                self.order.push_back(namespace);
            }
            if next.is_some() {
                return next;
            }
        }
        None
    }
}

impl Queues {
    /// The next of those who still wait.
    fn next(&mut self) -> Option<Waiting> {
        while let Some(principal) = self.order.pop_front() {
            let mut queue = self.by.remove(&principal).unwrap_or_default();
            // Who has given up is passed over.
            queue.retain(|waiting| !waiting.is_closed());
            let next = queue.pop_front();
            if !queue.is_empty() {
                self.by.insert(principal.clone(), queue);
                self.order.push_back(principal);
            }
            if next.is_some() {
                return next;
            }
        }
        None
    }
}
