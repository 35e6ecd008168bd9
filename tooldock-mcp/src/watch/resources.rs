//! Resources that a client watches.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::{StreamExt as _, stream::BoxStream};
use tokio::{pin, sync::Notify};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::{
    CallContext, Change, EngineError, ErrorKind, Mounts, RawJson, json::ObjectWriter, request::ResourceUri,
};

use super::hints;
use crate::wire::write_notification;

/// Resources that a client watches: a task for each waits until it has another content. However often that happens before the client
/// reads, it is told once.
#[derive(Debug, Default)]
pub(crate) struct ResourceWatches {
    tasks: Mutex<BTreeMap<ResourceUri, AbortOnDropHandle<()>>>,
    updated: Arc<Updated>,
}

/// What is still to be told.
#[derive(Debug, Default)]
struct Updated {
    uris: Mutex<BTreeSet<ResourceUri>>,
    added: Notify,
}

impl ResourceWatches {
    /// Begins to watch the resource at `uri`, unless that is watched already: what changes from here on is told.
    ///
    /// # Errors
    /// [`Overloaded`](ErrorKind::Overloaded) when `limit` are watched.
    pub(crate) fn add(
        &self,
        mounts: &Arc<dyn Mounts>,
        cx: &CallContext,
        uri: &ResourceUri,
        limit: usize,
    ) -> Result<(), EngineError> {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        if tasks.contains_key(uri) {
            return Ok(());
        }
        if tasks.len() >= limit {
            let text = format!(
                "`{limit}` resources are watched, which is the limit (MCP_RESOURCE_WATCHES); leave some"
            );
            return Err(EngineError::new(ErrorKind::Overloaded, text));
        }
        let hints = hints(&**mounts, cx, std::slice::from_ref(uri));
        let following = follow(
            mounts.clone(),
            cx.clone(),
            uri.clone(),
            hints,
            self.updated.clone(),
        );
        let task = AbortOnDropHandle::new(TaskTracker::new().spawn(following));
        tasks.insert(uri.clone(), task);
        Ok(())
    }

    /// Watches the resource at `uri` no longer, and forgets what was to be told of it.
    pub(crate) fn remove(&self, uri: &str) {
        self.tasks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(uri);
        self.updated.change(|uris| uris.remove(uri));
    }

    /// Watches nothing any more.
    pub(crate) fn clear(&self) {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Waits for a resource that has another content. Of several who wait, one gets it.
    ///
    /// # Cancel safety
    /// Safe: nothing is taken before it is given.
    pub(crate) async fn next(&self) -> ResourceUri {
        loop {
            let added = self.updated.added.notified();
            pin!(added);
            added.as_mut().enable();
            if let Some(uri) = self.updated.change(BTreeSet::pop_first) {
                return uri;
            }
            added.await;
        }
    }

    /// The notification that says that the resource at `uri` has another content.
    pub(crate) fn notice(uri: &str, write: impl FnOnce(&mut ObjectWriter)) -> RawJson {
        write_notification("notifications/resources/updated", |params| {
            params.string("uri", uri);
            write(params);
        })
    }
}

impl Updated {
    fn change<T>(&self, change: impl FnOnce(&mut BTreeSet<ResourceUri>) -> T) -> T {
        change(&mut self.uris.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Notes each update of a resource that its watcher can still see. After hints were lost there may have been one.
async fn follow(
    mounts: Arc<dyn Mounts>,
    cx: CallContext,
    uri: ResourceUri,
    mut hints: BoxStream<'static, Change>,
    updated: Arc<Updated>,
) {
    while let Some(change) = hints.next().await {
        let meant = match &change {
            Change::Updated(changed) => *changed == uri,
            other => *other == Change::Lagged,
        };
        if meant && is_visible(&*mounts, &cx, &uri) {
            updated.change(|uris| uris.insert(uri.clone()));
            updated.added.notify_waiters();
        }
    }
}

fn is_visible(mounts: &dyn Mounts, cx: &CallContext, uri: &str) -> bool {
    let Ok(mount) = mounts.mount(cx.caller(), cx.namespace().as_str()) else {
        return false;
    };
    mount
        .engine
        .catalog(cx)
        .is_ok_and(|catalog| catalog.may_have(uri))
}
