//! How many streams each principal has open.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tooldock_engine::{EngineError, ErrorKind, context::Principal};

use crate::refusal::Refusal;

/// Places for streams that answer no call, so many for each principal.
#[derive(Debug)]
pub(crate) struct Places {
    limit: usize,
    taken: Arc<Mutex<HashMap<Principal, usize>>>,
}

/// A place that is taken until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    taken: Arc<Mutex<HashMap<Principal, usize>>>,
    principal: Principal,
}

impl Places {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            taken: Arc::default(),
        }
    }

    /// Takes a place.
    ///
    /// # Errors
    /// 503 when the principal has none left.
    pub(crate) fn take(&self, principal: &Principal) -> Result<Place, Refusal> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.get(principal).copied().unwrap_or(0);
        if own >= self.limit {
            let text = format!(
                "`{own}` streams of this caller are open, which is the limit (MCP_STREAMS_PER_PRINCIPAL); close some"
            );
            return Err(Refusal::from(&EngineError::new(ErrorKind::Overloaded, text)));
        }
        taken.insert(principal.clone(), own + 1);
        Ok(Place {
            taken: self.taken.clone(),
            principal: principal.clone(),
        })
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
