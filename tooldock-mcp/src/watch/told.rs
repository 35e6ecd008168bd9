//! What a client has been told.

use std::sync::{Mutex, PoisonError};

use super::{
    List,
    list::{Look, Seen},
};

/// Which lists a client has last been told of, so that each change is told once, and of no list that he is not to hear of.
#[derive(Debug, Default)]
pub(crate) struct Told(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    wanted: [bool; List::ALL.len()],
    seen: [Option<Look>; List::ALL.len()],
}

impl Told {
    /// From now on the client is told of the lists that `wants` names; what he can know already counts as told.
    pub(crate) fn set(&self, wants: impl Fn(List) -> bool, known: Option<Seen>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State {
            wanted: List::ALL.map(wants),
            seen: known.map(|known| known.map(Some)).unwrap_or_default(),
        };
    }

    /// The first list of `seen` that is still to be told of. If there is one it is the teller's to do that: nobody else is asked to.
    pub(crate) fn replace(&self, seen: &Seen) -> Option<List> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = |list: &List| {
            let place = *list as usize;
            state.wanted[place] && state.seen[place].replace(seen[place]) != Some(seen[place])
        };
        List::ALL.into_iter().find(new)
    }
}
