//! What there is at one moment.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use tokio::time::{Instant, timeout_at};
use tokio_util::task::TaskTracker;
use tooldock_engine::{EngineError, EngineLayer as _, ErrorKind, LayerStack, NamespaceName, ToolEngine};

use super::{
    Describe, NamespaceState, Rejected, Revision, Started, Version, lease::Lease, unknown_namespace,
};

/// Where an engine comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The embedding program; survives every reload.
    Code,
    /// A [`NamespaceSource`](super::NamespaceSource), with the version that was loaded.
    Source(Version),
}

/// The engine of one namespace.
#[derive(Debug)]
pub struct Entry {
    /// The engine with all layers around it.
    pub(super) engine: Arc<dyn ToolEngine>,
    /// The engine alone, and how it is.
    started: Started,
    origin: Origin,
    holds: TaskTracker,
}

impl Entry {
    pub(super) fn new(layered: Arc<dyn ToolEngine>, started: Started, origin: Origin) -> Self {
        Self {
            engine: layered,
            started,
            origin,
            holds: TaskTracker::new(),
        }
    }

    /// The same engine within other layers. Holds on it count for both, so it is shut down after the last of either.
    pub(super) fn within(&self, layers: &LayerStack, namespace: &NamespaceName, origin: Origin) -> Self {
        Self {
            engine: layers.layer(namespace, self.started.engine.clone()),
            started: self.started.clone(),
            origin,
            holds: self.holds.clone(),
        }
    }

    /// Where the engine comes from.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// How the engine is.
    #[must_use]
    pub fn state(&self) -> &dyn Describe {
        &*self.started.state
    }

    /// A hold on the engine for a call that found it in the snapshot `revision`; nothing when it is being retired.
    pub(super) fn lease(&self, revision: Revision) -> Option<Arc<dyn ToolEngine>> {
        // Counted first and looked at second, so that retiring either waits for this hold or is seen here.
        let hold = self.holds.token();
        (!self.holds.is_closed()).then(|| {
            Arc::new(Lease {
                engine: self.engine.clone(),
                revision,
                _hold: hold,
            }) as _
        })
    }

    /// Waits until nobody holds the engine and shuts it down, both within `grace`.
    pub(super) async fn retire(&self, grace: Duration) {
        let end = Instant::now() + grace;
        self.holds.close();
        // Calls that are still held then are ended by the engine.
        timeout_at(end, self.holds.wait()).await.ok();
        self.engine
            .shutdown(end.saturating_duration_since(Instant::now()))
            .await;
    }
}

/// What there is at one moment: engines, and what could not become one.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    entries: BTreeMap<NamespaceName, Arc<Entry>>,
    failures: BTreeMap<NamespaceName, String>,
    rejected: Arc<[Rejected]>,
    /// Namespaces that are being started for the first time.
    starting: BTreeSet<NamespaceName>,
    /// The first look at the source is not done yet, so nobody knows what is missing.
    loading: bool,
    revision: Revision,
}

/// One line of the list of namespaces.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Namespace {
    /// Its name.
    #[serde(serialize_with = "super::event::as_text")]
    pub name: NamespaceName,
    /// How it is.
    #[serde(flatten)]
    pub state: NamespaceState,
    /// Why the newest version of its files does not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Snapshot {
    /// Which one it is.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The engine of `namespace`.
    #[must_use]
    pub fn get(&self, namespace: impl AsRef<str>) -> Option<(&NamespaceName, &Arc<Entry>)> {
        self.entries.get_key_value(namespace.as_ref())
    }

    /// Every engine by its namespace.
    pub fn entries(&self) -> impl Iterator<Item = (&NamespaceName, &Arc<Entry>)> {
        self.entries.iter()
    }

    /// Why the newest version of a namespace does not run.
    #[must_use]
    pub fn failure(&self, namespace: &NamespaceName) -> Option<&str> {
        self.failures.get(namespace).map(String::as_str)
    }

    /// Which folders are no namespaces, and why.
    #[must_use]
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// Every namespace, running or failed, sorted by name.
    #[must_use]
    pub fn describe(&self) -> Vec<Namespace> {
        let mut all: BTreeSet<&NamespaceName> = self.entries.keys().collect();
        all.extend(self.failures.keys().chain(&self.starting));
        let state = |name: &NamespaceName| match self.entries.get(name) {
            Some(entry) => entry.state().describe(),
            None if self.starting.contains(name) => NamespaceState::of("starting"),
            None => NamespaceState::of("failed"),
        };
        let line = |name: &NamespaceName| Namespace {
            name: name.clone(),
            state: state(name),
            failure: self.failures.get(name).cloned(),
        };
        all.into_iter().map(line).collect()
    }

    pub(super) fn begin(&mut self, namespace: NamespaceName) {
        self.starting.insert(namespace);
    }

    pub(super) fn put(&mut self, namespace: NamespaceName, entry: Arc<Entry>) -> Option<Arc<Entry>> {
        self.starting.remove(&namespace);
        self.failures.remove(&namespace);
        self.revision.0 += 1;
        self.entries.insert(namespace, entry)
    }

    pub(super) fn remove(&mut self, namespace: &NamespaceName) -> Option<Arc<Entry>> {
        self.starting.remove(namespace);
        self.failures.remove(namespace);
        self.revision.0 += 1;
        self.entries.remove(namespace)
    }

    pub(super) fn fail(&mut self, namespace: NamespaceName, reason: String) {
        self.starting.remove(&namespace);
        self.failures.insert(namespace, reason);
    }

    /// Namespaces that have failed or are being started.
    pub(super) fn unserved(&self) -> impl Iterator<Item = &NamespaceName> {
        self.failures.keys().chain(&self.starting)
    }

    pub(super) fn forget(&mut self, keep: impl Fn(&NamespaceName) -> bool) {
        self.failures.retain(|name, _| keep(name));
        self.starting.retain(|name| keep(name));
    }

    pub(super) fn reject(&mut self, rejected: Vec<Rejected>) {
        self.rejected = rejected.into();
    }

    pub(super) fn set_loading(&mut self, loading: bool) {
        self.loading = loading;
    }

    pub(super) fn is_loading(&self) -> bool {
        self.loading
    }

    /// The error for a namespace that has no engine: unknown, not loaded yet, or why it does not run.
    pub(super) fn unknown(&self, namespace: &str) -> EngineError {
        match self.failures.get(namespace) {
            None if self.loading || self.starting.contains(namespace) => EngineError::new(
                ErrorKind::Unavailable,
                "the gateway is still loading its namespaces",
            ),
            Some(reason) => EngineError::new(
                ErrorKind::Unavailable,
                format!("the namespace `{namespace}` could not be started: {reason}"),
            ),
            None => unknown_namespace(namespace),
        }
    }
}
