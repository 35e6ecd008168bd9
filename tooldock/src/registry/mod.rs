//! Which namespaces there are: a snapshot that is exchanged whole, so that no call ever sees half a change.

mod breaking;
mod diff;
mod event;
#[cfg(feature = "worker")]
pub mod folders;
mod follow;
mod lease;
mod lost;
mod mounts;
mod plan;
mod reload;
mod reloads;
mod report;
mod snapshot;
mod source;
#[cfg(feature = "worker")]
mod watch;

use std::{sync::Arc, time::Duration};

use tokio::{sync::watch as channel, time::timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tooldock_engine::{
    CallContext, Caller, Catalog, EngineError, EngineLayer, ErrorKind, LayerStack, NamespaceName, ToolEngine,
};

#[cfg(feature = "worker")]
pub use self::watch::FolderWatch;
pub use self::{
    diff::{CatalogDiff, ListDiff},
    event::{ReloadEvent, ReloadEvents},
    lease::Revision,
    plan::{Action, Step, plan},
    reload::Reloader,
    reloads::Reloads,
    report::{Outcome, ReloadReport},
    snapshot::{Entry, Namespace, Origin, Snapshot},
    source::{
        Candidate, Describe, LoadProblem, LogEntry, NamespaceSource, NamespaceState, ProcessLine, Rejected,
        Started, Survey, Tell, ToolPlace, Version,
    },
};

/// The namespaces of a gateway.
///
/// Reading is one pointer copy. Writing exchanges the whole snapshot; an engine that leaves it is shut down once every call that
/// holds it is answered, for at most the drain time.
#[derive(Debug)]
pub struct Registry {
    snapshot: channel::Sender<Arc<Snapshot>>,
    layers: LayerStack,
    drain: Duration,
    /// Engines on their way out, and what ends them at once.
    retiring: TaskTracker,
    stop: CancellationToken,
    /// Fired when nothing is mounted any more.
    closed: CancellationToken,
    reloads: Reloads,
}

impl Registry {
    /// An empty registry that puts `layers` around each engine and gives an old one `drain` to finish its calls.
    #[must_use]
    pub fn new(layers: LayerStack, drain: Duration) -> Self {
        Self {
            snapshot: channel::Sender::new(Arc::default()),
            layers,
            drain,
            retiring: TaskTracker::new(),
            stop: CancellationToken::new(),
            closed: CancellationToken::new(),
            reloads: Reloads::default(),
        }
    }

    /// What there is right now.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.borrow().clone()
    }

    /// Puts an engine in place of whatever `namespace` was before. Calls that run finish on the old one.
    ///
    /// Must be called within a Tokio runtime.
    pub fn put(&self, namespace: &NamespaceName, started: Started, origin: Origin) {
        let layered = self.layers.layer(namespace, started.engine.clone());
        let entry = Arc::new(Entry::new(layered, started, origin));
        let mut old = None;
        self.snapshot
            .send_modify(|snapshot| old = Arc::make_mut(snapshot).put(namespace.clone(), entry));
        self.retire(old, self.drain);
    }

    /// Puts the layers around the engine of `namespace` anew, so that limits which have changed count for every later call. The
    /// engine goes on, and calls that run finish within the layers they began in.
    pub fn adjust(&self, namespace: &NamespaceName, origin: Origin) {
        self.snapshot.send_if_modified(|snapshot| {
            let entry = snapshot
                .get(namespace)
                .map(|(_, entry)| entry.within(&self.layers, namespace, origin));
            let found = entry.is_some();
            if let Some(entry) = entry {
                // What it replaces is not retired: its engine is the same.
                Arc::make_mut(snapshot).put(namespace.clone(), Arc::new(entry));
            }
            found
        });
    }

    /// Takes `namespace` out. Calls that run finish.
    ///
    /// Must be called within a Tokio runtime.
    pub fn remove(&self, namespace: &NamespaceName) {
        let mut old = None;
        self.snapshot
            .send_modify(|snapshot| old = Arc::make_mut(snapshot).remove(namespace));
        self.retire(old, self.drain);
    }

    /// Notes why the newest version of `namespace` does not run; what ran before goes on.
    pub fn fail(&self, namespace: &NamespaceName, reason: &EngineError) {
        self.snapshot
            .send_modify(|snapshot| Arc::make_mut(snapshot).fail(namespace.clone(), reason.to_string()));
    }

    /// Forgets failures and starts of namespaces, but for those that `keep` names.
    pub(crate) fn forget(&self, keep: impl Fn(&NamespaceName) -> bool) {
        self.snapshot.send_if_modified(|snapshot| {
            let outdated = !snapshot.unserved().all(&keep);
            if outdated {
                Arc::make_mut(snapshot).forget(&keep);
            }
            outdated
        });
    }

    /// What `namespace` offers right now to the program itself; nothing when there is no such namespace.
    pub fn catalog(&self, namespace: &NamespaceName) -> Arc<Catalog> {
        let engine = self
            .snapshot()
            .get(namespace)
            .map(|(_, entry)| entry.engine.clone());
        match engine {
            Some(engine) => own_catalog(&*engine, namespace),
            None => Arc::default(),
        }
    }

    /// Notes that `namespace` is being started.
    pub(crate) fn begin(&self, namespace: &NamespaceName) {
        self.snapshot
            .send_modify(|snapshot| Arc::make_mut(snapshot).begin(namespace.clone()));
    }

    /// Whether the first look at a source is still to be done.
    #[must_use]
    pub fn is_loading(&self) -> bool {
        self.snapshot.borrow().is_loading()
    }

    /// Whether calls are taken: the first look at a source is done, and nothing has [closed](Self::close) the registry.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        !self.is_loading() && !self.closed.is_cancelled()
    }

    /// How many reloads there were.
    #[must_use]
    pub fn reloads(&self) -> &Reloads {
        &self.reloads
    }

    /// Lets the engine of `namespace` try at once what it would try later.
    pub(crate) fn retry(&self, namespace: &NamespaceName) {
        if let Some((_, entry)) = self.snapshot().get(namespace) {
            entry.state().retry();
        }
    }

    /// Notes whether the first look at a source is still to be done.
    pub(crate) fn set_loading(&self, loading: bool) {
        self.snapshot.send_if_modified(|snapshot| {
            let changed = snapshot.is_loading() != loading;
            if changed {
                Arc::make_mut(snapshot).set_loading(loading);
            }
            changed
        });
    }

    /// Notes which folders are no namespaces, and why.
    pub(crate) fn reject(&self, rejected: Vec<Rejected>) {
        self.snapshot.send_if_modified(|snapshot| {
            let changed = snapshot.rejected() != rejected;
            if changed {
                Arc::make_mut(snapshot).reject(rejected);
            }
            changed
        });
    }

    fn retire(&self, entry: Option<Arc<Entry>>, within: Duration) {
        let Some(entry) = entry else { return };
        let stop = self.stop.clone();
        self.retiring.spawn(async move {
            // Stopped, the task lets go of the engine, and its drop ends what it runs.
            stop.run_until_cancelled(entry.retire(within)).await;
        });
    }

    /// Mounts nothing any more: whoever asks is told that the gateway is shutting down. Idempotent.
    pub fn close(&self) {
        self.closed.cancel();
    }

    /// [Closes](Self::close), lets every engine finish the calls that hold it, and shuts them down, all within `grace`.
    ///
    /// # Cancel safety
    /// Dropping the future leaves the engines that were not reached to their own drop.
    pub async fn shutdown(&self, grace: Duration) {
        self.close();
        let last = self.snapshot.send_replace(Arc::default());
        for (_, entry) in last.entries() {
            self.retire(Some(entry.clone()), grace);
        }
        drop(last);
        self.retiring.close();
        if timeout(grace, self.retiring.wait()).await.is_err() {
            self.stop.cancel();
            self.retiring.wait().await;
        }
    }
}

/// What an engine offers to the program itself.
fn own_catalog(engine: &dyn ToolEngine, namespace: &NamespaceName) -> Arc<Catalog> {
    let cx = CallContext::new(Caller::local(), namespace.clone());
    engine.catalog(&cx).unwrap_or_default()
}

/// The error for a namespace that is not there.
pub(crate) fn unknown_namespace(namespace: &str) -> EngineError {
    let shown = shown(namespace);
    EngineError::new(
        ErrorKind::NamespaceUnknown,
        format!("there is no namespace `{shown}`; `GET /namespaces` lists those there are"),
    )
}

/// The error for a namespace that a caller may not enter, whether there is one or not.
fn forbidden_namespace(namespace: &str) -> EngineError {
    let shown = shown(namespace);
    EngineError::new(
        ErrorKind::Forbidden,
        format!("you may not use the namespace `{shown}`; `GET /namespaces` lists those that you may use"),
    )
}

/// A name as a caller wrote it, short and readable.
fn shown(name: &str) -> String {
    name.chars().take(80).flat_map(char::escape_debug).collect()
}
