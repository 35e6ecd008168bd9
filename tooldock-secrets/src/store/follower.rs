//! Reading again and again, by a program that runs for long.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Contents, Store, StoreError};

/// Reads a store again and again: keeps the last values that were good, and never goes back to an older file.
#[derive(Debug)]
pub struct Follower {
    store: Store,
    last: Mutex<Option<Arc<Contents>>>,
}

impl Follower {
    /// Follows a store. Nothing is read yet.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self {
            store,
            last: Mutex::default(),
        }
    }

    /// Reads the store now. What was good stays [`current`](Self::current) when this fails.
    ///
    /// # Errors
    /// As [`Store::read`], and [`StoreError::Rollback`] when the file has a lower generation than one that was seen.
    pub fn refresh(&self) -> Result<Arc<Contents>, StoreError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let contents = Arc::new(self.store.read()?);
        if let Some(seen) = last
            .as_ref()
            .map(|last| last.generation)
            .filter(|seen| contents.generation < *seen)
        {
            return Err(StoreError::Rollback {
                found: contents.generation,
                seen,
            });
        }
        *last = Some(Arc::clone(&contents));
        Ok(contents)
    }

    /// What was good last; nothing before the first success.
    #[must_use]
    pub fn current(&self) -> Option<Arc<Contents>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }
}
