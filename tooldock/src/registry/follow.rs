//! The changes of a namespace, also across an exchange of its engine.

use std::sync::Arc;

use tokio::sync::watch as channel;
use tooldock_engine::{CallContext, Change, Changes, NamespaceName, request::ResourceUri};

use super::{Entry, Snapshot};

/// Follows the changes of a namespace across exchanges of its engine.
pub(super) struct Follow {
    cx: CallContext,
    namespace: NamespaceName,
    watch: Arc<[ResourceUri]>,
    snapshots: channel::Receiver<Arc<Snapshot>>,
    current: Option<(Arc<Entry>, Changes)>,
    /// Whether anybody has asked yet; what was there before that is no change.
    begun: bool,
}

impl Follow {
    pub(super) fn new(
        cx: &CallContext,
        namespace: &NamespaceName,
        watch: &[ResourceUri],
        snapshots: channel::Receiver<Arc<Snapshot>>,
    ) -> Self {
        let (cx, namespace, watch) = (cx.clone(), namespace.clone(), watch.into());
        Self {
            cx,
            namespace,
            watch,
            snapshots,
            current: None,
            begun: false,
        }
    }

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

    /// The next change; `None` when the registry is gone.
    pub(super) async fn next(&mut self) -> Option<Change> {
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
