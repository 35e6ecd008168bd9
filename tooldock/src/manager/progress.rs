//! What takes long tells the client how far it is.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use tooldock_engine::{
    CallContext, NamespaceName, RawJson,
    context::{Client, Note},
};
use tooldock_worker::Progress;

/// Tells the client of a call each step, in sentences for people.
#[derive(Debug)]
pub(super) struct Steps {
    client: Client,
    done: AtomicU64,
}

impl Steps {
    pub(super) fn of(cx: &CallContext) -> Self {
        Self {
            client: cx.client().clone(),
            done: AtomicU64::new(0),
        }
    }

    /// Tells one step.
    pub(super) fn tell(&self, text: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.client.notify(Note::Progress {
            progress: RawJson::from(json!(done)),
            total: None,
            message: Some(text.to_owned()),
        });
    }
}

impl Progress for Steps {
    fn say(&self, namespace: Option<&NamespaceName>, text: &str) {
        tracing::info!(namespace = namespace.map(NamespaceName::as_str), "{text}");
        self.tell(text);
    }
}
