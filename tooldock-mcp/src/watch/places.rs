//! How many of something may be open: of each principal, and of all together.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tooldock_engine::{EngineError, ErrorKind, context::Principal, error::Result};

/// A limit, and the name of the setting that is it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cap(pub(crate) usize, pub(crate) &'static str);

/// Places for something that stays open, so many for each principal and for all together. Clones are the same places.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// What takes the places, in the plural.
    what: &'static str,
    each: Cap,
    all: Cap,
    taken: Arc<Mutex<Taken>>,
}

/// How many places are taken, in all and by whom.
#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by: HashMap<Principal, usize>,
}

/// A place that is taken until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    taken: Arc<Mutex<Taken>>,
    principal: Principal,
}

impl Places {
    pub(crate) fn new(what: &'static str, each: Cap, all: Cap) -> Self {
        Self {
            what,
            each,
            all,
            taken: Arc::default(),
        }
    }

    /// Takes a place.
    ///
    /// # Errors
    /// [`Overloaded`](ErrorKind::Overloaded) when the principal has none left, or nobody has.
    pub(crate) fn take(&self, principal: &Principal) -> Result<Place> {
        let mut taken = lock(&self.taken);
        let own = taken.by.get(principal).copied().unwrap_or(0);
        let what = self.what;
        let refused = if own >= self.each.0 {
            let Cap(_, setting) = self.each;
            format!("`{own}` {what} of this caller are open, which is the limit ({setting}); end some")
        } else if taken.all >= self.all.0 {
            let Cap(all, setting) = self.all;
            format!("`{all}` {what} of all callers are open, which is the limit ({setting}); try again later")
        } else {
            taken.all += 1;
            taken.by.insert(principal.clone(), own + 1);
            return Ok(Place {
                taken: self.taken.clone(),
                principal: principal.clone(),
            });
        };
        Err(EngineError::new(ErrorKind::Overloaded, refused))
    }

    /// How many are taken, of all principals together.
    pub(crate) fn taken(&self) -> usize {
        lock(&self.taken).all
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.all -= 1;
        if let Some(own) = taken.by.get_mut(&self.principal) {
            *own -= 1;
            if *own == 0 {
                taken.by.remove(&self.principal);
            }
        }
    }
}

fn lock(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}
