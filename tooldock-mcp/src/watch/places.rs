//! How many of something each principal may have open.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tooldock_engine::{EngineError, ErrorKind, context::Principal, error::Result};

/// Places for something that stays open, so many for each principal. Clones are the same places.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    limit: usize,
    /// What takes the places, in the plural.
    what: &'static str,
    /// The name of the setting that limits them.
    setting: &'static str,
    taken: Arc<Mutex<HashMap<Principal, usize>>>,
}

/// A place that is taken until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    taken: Arc<Mutex<HashMap<Principal, usize>>>,
    principal: Principal,
}

impl Places {
    pub(crate) fn new(limit: usize, what: &'static str, setting: &'static str) -> Self {
        Self {
            limit,
            what,
            setting,
            taken: Arc::default(),
        }
    }

    /// Takes a place.
    ///
    /// # Errors
    /// [`Overloaded`](ErrorKind::Overloaded) when the principal has none left.
    pub(crate) fn take(&self, principal: &Principal) -> Result<Place> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.get(principal).copied().unwrap_or(0);
        if own >= self.limit {
            let Self { what, setting, .. } = self;
            let text =
                format!("`{own}` {what} of this caller are open, which is the limit ({setting}); end some");
            return Err(EngineError::new(ErrorKind::Overloaded, text));
        }
        taken.insert(principal.clone(), own + 1);
        Ok(Place {
            taken: self.taken.clone(),
            principal: principal.clone(),
        })
    }
}

impl Places {
    /// How many are taken, of all principals together.
    pub(crate) fn taken(&self) -> usize {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.values().sum()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.principal) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.principal);
            }
        }
    }
}
