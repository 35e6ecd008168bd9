//! The conversations whose stream is open.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::conversation::Conversation;
use crate::session::{Owner, SessionId};

/// The conversations whose stream is open. There are no more than places for streams.
#[derive(Debug, Default)]
pub(crate) struct Conversations(Mutex<HashMap<SessionId, Arc<Conversation>>>);

impl Conversations {
    pub(super) fn add(&self, conversation: Arc<Conversation>) {
        self.lock().insert(conversation.id.clone(), conversation);
    }

    /// The conversation called `id`, if it is `owner`'s. The id says where a message belongs; it gives no right to anything.
    pub(super) fn find(&self, id: &str, owner: &Owner) -> Option<Arc<Conversation>> {
        let found = self.lock().get(id).cloned();
        found.filter(|conversation| conversation.owner == *owner)
    }

    pub(super) fn remove(&self, id: &SessionId) {
        self.lock().remove(id);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<SessionId, Arc<Conversation>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
