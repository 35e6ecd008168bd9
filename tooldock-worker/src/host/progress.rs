//! What takes long says how far it is.

use std::fmt;

use tooldock_engine::NamespaceName;

/// Hears what a [`WorkerHost`](super::WorkerHost) is doing, in sentences for people.
pub trait Progress: fmt::Debug + Send + Sync {
    /// Something that concerns `namespace`, or all of them. Must not block.
    fn say(&self, namespace: Option<&NamespaceName>, text: &str);
}

/// Tells the log.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogProgress;

impl Progress for LogProgress {
    fn say(&self, namespace: Option<&NamespaceName>, text: &str) {
        tracing::info!(namespace = namespace.map(NamespaceName::as_str), "{text}");
    }
}
