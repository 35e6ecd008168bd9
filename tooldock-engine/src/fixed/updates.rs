//! Telling that resources have another content.

use tokio::sync::broadcast;

use crate::{Change, Changes, request::ResourceUri};

/// Notices that a slow listener may have waiting; of more he is told that he has missed some.
const WAITING: usize = 64;

/// Tells whoever watches the resources of a [`StaticEngine`](super::StaticEngine) that one has another content. Clones tell the same
/// watchers.
///
/// ```
/// use tooldock_engine::fixed::Updates;
/// let updates = Updates::default();
/// let engine = tooldock_engine::StaticEngine::builder().updates(&updates).build()?;
/// updates.tell("note://a"); // from a handler, a task, anywhere
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Updates(broadcast::Sender<Change>);

impl Default for Updates {
    fn default() -> Self {
        Self(broadcast::Sender::new(WAITING))
    }
}

impl Updates {
    /// Tells that the resource at `uri` has another content.
    pub fn tell(&self, uri: impl Into<ResourceUri>) {
        // Without anybody who watches there is nobody to tell.
        self.0.send(Change::Updated(uri.into())).ok();
    }

    pub(super) fn changes(&self, watch: &[ResourceUri]) -> Changes {
        Changes::from_receiver(self.0.subscribe()).watching(watch)
    }
}
