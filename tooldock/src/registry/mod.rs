//! Which namespaces there are: a snapshot that is exchanged whole, so that no call ever sees half a change.

mod event;
#[cfg(feature = "worker")]
pub mod folders;
mod lease;
mod plan;
mod regression;
mod reload;
mod report;
mod snapshot;
mod source;
#[cfg(feature = "worker")]
mod watch;

use std::{sync::Arc, time::Duration};

use futures_util::{FutureExt as _, future::join_all, stream};
use tokio::sync::watch as channel;
use tokio_util::task::TaskTracker;
use tooldock_engine::{
    CallContext, Caller, Catalog, Change, Changes, EngineError, EngineLayer, ErrorKind, LayerStack, Mount,
    Mounts, NamespaceName, ToolEngine, error::Result, request::ResourceUri,
};

#[cfg(feature = "worker")]
pub use self::watch::{FolderWatch, Watched};
pub use self::{
    event::ReloadEvent,
    plan::{Action, Step, plan},
    reload::Reloader,
    report::{Outcome, ReloadReport, ToolDiff},
    snapshot::{Entry, Namespace, Origin, Snapshot},
    source::{
        Candidate, Describe, LoadProblem, LogEntry, NamespaceSource, NamespaceState, Rejected, Started,
        Survey, Tell, ToolPlace,
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
    /// Engines on their way out.
    retiring: TaskTracker,
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
        self.retire(old);
    }

    /// Takes `namespace` out. Calls that run finish.
    ///
    /// Must be called within a Tokio runtime.
    pub fn remove(&self, namespace: &NamespaceName) {
        let mut old = None;
        self.snapshot
            .send_modify(|snapshot| old = Arc::make_mut(snapshot).remove(namespace));
        self.retire(old);
    }

    /// Notes why the newest version of `namespace` does not run; what ran before goes on.
    pub fn fail(&self, namespace: &NamespaceName, reason: &EngineError) {
        self.snapshot
            .send_modify(|snapshot| Arc::make_mut(snapshot).fail(namespace.clone(), reason.to_string()));
    }

    /// Forgets why namespaces do not run, but for those that `keep` names.
    pub(crate) fn forget_failures(&self, keep: impl Fn(&NamespaceName) -> bool) {
        self.snapshot.send_if_modified(|snapshot| {
            let outdated = snapshot.failures().any(|name| !keep(name));
            if outdated {
                Arc::make_mut(snapshot).keep_failures(keep);
            }
            outdated
        });
    }

    /// What `namespace` offers right now to the program itself; nothing when there is no such namespace.
    #[must_use]
    pub fn catalog(&self, namespace: &NamespaceName) -> Arc<Catalog> {
        let snapshot = self.snapshot();
        let cx = CallContext::new(Caller::local(), namespace.clone());
        // A catalog is a snapshot in memory, so it is there at once.
        let catalog = snapshot
            .get(namespace)
            .and_then(|(_, entry)| entry.engine.catalog(&cx).now_or_never()?.ok());
        catalog.unwrap_or_default()
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

    fn retire(&self, entry: Option<Arc<Entry>>) {
        let Some(entry) = entry else { return };
        let drain = self.drain;
        self.retiring.spawn(async move { entry.retire(drain).await });
    }

    /// Shuts every engine down and waits, for at most `grace`, until all are.
    ///
    /// # Cancel safety
    /// Dropping the future leaves the engines that were not reached to their own drop.
    pub async fn shutdown(&self, grace: Duration) {
        let last = self.snapshot.send_replace(Arc::default());
        join_all(last.entries().map(|(_, entry)| entry.engine.shutdown(grace))).await;
        self.retiring.close();
        // What is still running after the grace is ended by the drop of its engine.
        tokio::time::timeout(grace, self.retiring.wait()).await.ok();
    }
}

impl Mounts for Registry {
    fn mount(&self, _caller: &Caller, namespace: &str) -> Result<Mount> {
        let snapshot = self.snapshot();
        match snapshot.get(namespace) {
            Some((name, entry)) => Ok(Mount {
                namespace: name.clone(),
                engine: entry.lease(),
            }),
            None => Err(snapshot.unknown(namespace)),
        }
    }

    fn changes(&self, cx: &CallContext, namespace: &NamespaceName, watch: &[ResourceUri]) -> Changes {
        let follow = Follow {
            cx: cx.clone(),
            namespace: namespace.clone(),
            watch: watch.into(),
            snapshots: self.snapshot.subscribe(),
            current: None,
            begun: false,
        };
        Changes::from_stream(stream::unfold(follow, |mut follow| async move {
            Some((follow.next().await?, follow))
        }))
    }
}

/// Follows the changes of a namespace across exchanges of its engine.
struct Follow {
    cx: CallContext,
    namespace: NamespaceName,
    watch: Arc<[ResourceUri]>,
    snapshots: channel::Receiver<Arc<Snapshot>>,
    current: Option<(Arc<Entry>, Changes)>,
    /// Whether anybody has asked yet; what was there before that is no change.
    begun: bool,
}

impl Follow {
    /// Looks whether another engine serves the namespace now.
    fn exchanged(&mut self) -> bool {
        let now = self
            .snapshots
            .borrow_and_update()
            .get(&self.namespace)
            .map(|(_, entry)| entry.clone());
        let same = match (&now, &self.current) {
            (Some(now), Some((old, _))) => Arc::ptr_eq(now, old),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.current = now.map(|entry| (entry.clone(), entry.engine.changes(&self.cx, &self.watch)));
        }
        !same
    }

    async fn next(&mut self) -> Option<Change> {
        let first = !std::mem::replace(&mut self.begun, true);
        if self.exchanged() && !first {
            return Some(Change::Lagged);
        }
        loop {
            let inner = async {
                match &mut self.current {
                    Some((_, changes)) => changes.next().await,
                    None => None,
                }
            };
            // An engine that never changes again is silent, not the end: another one may take its place.
            let inner = async {
                match inner.await {
                    Some(change) => change,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                change = inner => return Some(change),
                exchanged = self.snapshots.changed() => exchanged.ok()?,
            }
            if self.exchanged() {
                return Some(Change::Lagged);
            }
        }
    }
}

/// The error for a namespace that is not there.
pub(crate) fn unknown_namespace(namespace: &str) -> EngineError {
    let shown: String = namespace.chars().take(80).flat_map(char::escape_debug).collect();
    EngineError::new(
        ErrorKind::NamespaceUnknown,
        format!("there is no namespace `{shown}`; `GET /namespaces` lists those there are"),
    )
}
