//! What arrives between a request and its answer, and what arrives unasked.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{LoggingMessageNotificationParam, ProgressNotificationParam};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Keeps what it hears. Clones share it.
#[derive(Debug, Default, Clone)]
pub(crate) struct Listener(Arc<Heard>);

#[derive(Debug, Default)]
struct Heard {
    progress: Mutex<Vec<Value>>,
    logs: Mutex<Vec<Value>>,
    advanced: Notify,
    changed: Notify,
}

impl Listener {
    /// The progress heard so far; the next one begins anew.
    pub(crate) fn take_progress(&self) -> Vec<Value> {
        std::mem::take(&mut lock(&self.0.progress))
    }

    /// The logs heard so far.
    pub(crate) fn logs(&self) -> Vec<Value> {
        lock(&self.0.logs).clone()
    }

    /// Waits for the next note of progress.
    pub(crate) async fn advanced(&self) {
        self.0.advanced.notified().await;
    }

    /// Waits for a change of the list of tools.
    pub(crate) async fn changed(&self) {
        self.0.changed.notified().await;
    }
}

impl ClientHandler for Listener {
    async fn on_progress(&self, note: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        lock(&self.0.progress).push(json!([note.progress, note.total, note.message]));
        self.0.advanced.notify_one();
    }

    async fn on_logging_message(
        &self,
        note: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        lock(&self.0.logs).push(note.data);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.changed.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
