//! Reloads: one task plans them, starts what is new beside the old, and exchanges each namespace as soon as it is ready.

mod builds;
mod planned;
mod task;
mod waiting;

use std::sync::Arc;

use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_util::{
    sync::CancellationToken,
    task::{AbortOnDropHandle, TaskTracker},
};
use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};

use self::task::Reloading;
use super::{NamespaceSource, Registry, ReloadEvent, ReloadEvents, ReloadReport};

/// Reloads that may wait to be noticed. Those that wait share one scan, so this bounds callers, not work.
const WAITING: usize = 64;

/// Events that may wait for a slow listener; older ones are then lost to it.
const EVENTS: usize = 256;

/// Somebody who waits for the report of a reload, or of its plan.
#[derive(Debug)]
struct Request {
    dry_run: bool,
    report: oneshot::Sender<ReloadReport>,
}

/// Asks for reloads. Clones ask the same task; when the last is dropped the task ends.
#[derive(Debug, Clone)]
pub struct Reloader {
    requests: mpsc::Sender<Request>,
    events: broadcast::Sender<ReloadEvent>,
    source: Arc<dyn NamespaceSource>,
    stop: CancellationToken,
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
        let events = broadcast::Sender::new(EVENTS);
        let task = Reloading::new(registry, source.clone(), events.clone());
        let stop = CancellationToken::new();
        let task = TaskTracker::new().spawn(task.run(receiver, stop.clone()));
        Self {
            requests,
            events,
            source,
            stop,
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
        self.ask(false).await
    }

    /// Brings `namespace` back to the version that served before the present one, and [reloads](Self::reload).
    ///
    /// # Errors
    /// As [`NamespaceSource::roll_back`] and as `reload`.
    ///
    /// # Cancel safety
    /// Dropping the future does not stop what has begun.
    pub async fn roll_back(&self, namespace: &NamespaceName) -> Result<ReloadReport> {
        self.source.roll_back(namespace).await?;
        self.reload().await
    }

    /// What [`reload`](Self::reload) would do. Does nothing.
    ///
    /// # Errors
    /// As `reload`.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn plan(&self) -> Result<ReloadReport> {
        self.ask(true).await
    }

    /// Stops every start that is under way; reloads are refused from now on. Idempotent.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// What happens from now on, in all reloads.
    ///
    /// ```
    /// # async fn show(reloader: &tooldock::registry::Reloader) {
    /// let mut events = reloader.events();
    /// while let Some(event) = events.next().await {
    ///     println!("{event:?}");
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn events(&self) -> ReloadEvents {
        ReloadEvents::new(self.events.subscribe())
    }

    async fn ask(&self, dry_run: bool) -> Result<ReloadReport> {
        let gone = || EngineError::new(ErrorKind::Unavailable, "the gateway is shutting down");
        let (report, answer) = oneshot::channel();
        self.requests
            .send(Request { dry_run, report })
            .await
            .map_err(|_| gone())?;
        answer.await.map_err(|_| gone())
    }
}
