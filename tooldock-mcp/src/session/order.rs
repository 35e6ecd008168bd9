//! In which order sessions were used.

use std::collections::{BTreeMap, HashMap};

use tooldock_engine::context::Principal;

use super::SessionId;

/// In which order sessions were used, in all and by principal. Times of use are counted, not measured.
#[derive(Debug, Default)]
pub(super) struct Order {
    last: u64,
    all: BTreeMap<u64, SessionId>,
    by_principal: HashMap<Principal, BTreeMap<u64, SessionId>>,
}

impl Order {
    /// Notes a use; gives back what stands for it.
    pub(super) fn add(&mut self, principal: &Principal, id: &SessionId) -> u64 {
        self.last += 1;
        self.all.insert(self.last, id.clone());
        self.by_principal
            .entry(principal.clone())
            .or_default()
            .insert(self.last, id.clone());
        self.last
    }

    /// Forgets a use.
    pub(super) fn remove(&mut self, principal: &Principal, used: u64) {
        self.all.remove(&used);
        if let Some(own) = self.by_principal.get_mut(principal) {
            own.remove(&used);
            if own.is_empty() {
                self.by_principal.remove(principal);
            }
        }
    }

    /// The session that has to make room before `principal` opens one more.
    pub(super) fn surplus(
        &self,
        principal: &Principal,
        total: usize,
        per_principal: usize,
    ) -> Option<SessionId> {
        let own = self.by_principal.get(principal);
        let crowded = own.filter(|own| own.len() >= per_principal);
        let from = crowded.or((self.all.len() >= total).then_some(&self.all))?;
        from.values().next().cloned()
    }
}
