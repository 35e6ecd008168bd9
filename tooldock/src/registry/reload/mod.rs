//! Reloads: one task plans them, starts what is new beside the old, and exchanges each namespace as soon as it is ready.

mod builds;
mod task;
mod waiting;

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::{EngineError, ErrorKind, error::Result};

use self::task::Reloading;
use super::{NamespaceSource, Registry, ReloadReport};

/// Reloads that may wait to be noticed. Those that wait share one scan, so this bounds callers, not work.
const WAITING: usize = 64;

type Request = oneshot::Sender<ReloadReport>;

/// Asks for reloads. Clones ask the same task; when the last is dropped the task ends.
#[derive(Debug, Clone)]
pub struct Reloader {
    requests: mpsc::Sender<Request>,
    _task: Arc<AbortOnDropHandle<()>>,
}

impl Reloader {
    /// Starts the task that keeps `registry` equal to `source`. It does nothing until it is asked.
    ///
    /// Must be called within a Tokio runtime.
    #[must_use]
    pub fn start(registry: Arc<Registry>, source: Arc<dyn NamespaceSource>) -> Self {
        let (requests, receiver) = mpsc::channel(WAITING);
        registry.set_loading(true);
        let task = Reloading::new(registry, source);
        let task = TaskTracker::new().spawn(task.run(receiver));
        Self {
            requests,
            _task: Arc::new(AbortOnDropHandle::new(task)),
        }
    }

    /// Looks at the source again and waits until everything that has changed is exchanged.
    ///
    /// Requests that come while a scan runs share the next one. A namespace that is being built for another request is waited
    /// for, not built twice; one whose files change meanwhile is built anew.
    ///
    /// # Errors
    /// [`Unavailable`](ErrorKind::Unavailable) when the gateway is shutting down.
    ///
    /// # Cancel safety
    /// Dropping the future does not stop the reload.
    pub async fn reload(&self) -> Result<ReloadReport> {
        let gone = || EngineError::new(ErrorKind::Unavailable, "the gateway is shutting down");
        let (request, report) = oneshot::channel();
        self.requests.send(request).await.map_err(|_| gone())?;
        report.await.map_err(|_| gone())
    }
}
