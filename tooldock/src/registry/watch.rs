//! Watching a tools folder: when its files have been quiet for a moment, a reload is asked for.

use std::{
    io,
    path::{Component, Path, PathBuf},
    time::Duration,
};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::{sync::mpsc, time::timeout};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use super::Reloader;

/// Reloads when files change. Dropping it ends the watch.
#[derive(Debug)]
pub struct FolderWatch {
    _watcher: RecommendedWatcher,
    _task: AbortOnDropHandle<()>,
}

/// One look at the folder is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Watched;

impl FolderWatch {
    /// Watches `root` and asks `reloader` once nothing has changed for `quiet`, at the latest after ten times that. What lies in `data`, a
    /// folder in which the gateway itself writes, does not count, wherever below `root` that is.
    ///
    /// Must be called within a Tokio runtime.
    ///
    /// # Errors
    /// When the folder cannot be watched; the text says so, and `POST /reload` works all the same.
    pub fn start(root: &Path, data: &Path, quiet: Duration, reloader: Reloader) -> io::Result<Self> {
        // The place for one says that something has changed; what has, the scan finds out.
        let (sender, receiver) = mpsc::channel(1);
        let root = root.canonicalize()?;
        let below = root.clone();
        let own = data.canonicalize().ok();
        let own = own.filter(|own| own.starts_with(&root) && *own != root);
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.map_or(true, |event| matters(&event, &below, own.as_deref())) {
                sender.try_send(Watched).ok();
            }
        })
        .map_err(io::Error::other)?;
        watcher
            .watch(&root, RecursiveMode::Recursive)
            .map_err(io::Error::other)?;
        let task = TaskTracker::new().spawn(follow(receiver, quiet, reloader));
        Ok(Self {
            _watcher: watcher,
            _task: AbortOnDropHandle::new(task),
        })
    }
}

/// Whether an event can change a namespace: reading cannot, nor can what is hidden, compiled or the gateway's own.
fn matters(event: &Event, root: &Path, own: Option<&Path>) -> bool {
    if matches!(event.kind, EventKind::Access(_)) {
        return false;
    }
    let noise = |path: &PathBuf| {
        let inside = path.strip_prefix(root).unwrap_or(path);
        own.is_some_and(|own| path.starts_with(own))
            || inside.components().any(|part| match part {
                Component::Normal(name) => name
                    .to_str()
                    .is_some_and(|name| name.starts_with('.') || name == "__pycache__"),
                _ => false,
            })
    };
    event.paths.is_empty() || !event.paths.iter().all(noise)
}

async fn follow(mut events: mpsc::Receiver<Watched>, quiet: Duration, reloader: Reloader) {
    while events.recv().await.is_some() {
        let settle = async { while let Ok(Some(_)) = timeout(quiet, events.recv()).await {} };
        timeout(quiet * 10, settle).await.ok();
        match reloader.reload().await {
            // Each namespace that changes is told by the reload itself.
            Ok(report) => tracing::debug!(ok = report.ok, "files have changed"),
            Err(error) => tracing::error!(%error, "files have changed and could not be looked at"),
        }
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, CreateKind, ModifyKind};

    use super::*;

    #[test]
    fn only_what_can_change_a_namespace_matters() {
        let event = |kind, path: &str| Event::new(kind).add_path(path.into());
        let create = EventKind::Create(CreateKind::File);
        let table = [
            (event(create, "/t/demo/a.py"), true),
            (
                event(EventKind::Modify(ModifyKind::Any), "/t/demo/sub/_x.py"),
                true,
            ),
            (event(EventKind::Access(AccessKind::Any), "/t/demo/a.py"), false),
            (event(create, "/t/demo/__pycache__/a.cpython-312.pyc"), false),
            (event(create, "/t/demo/.a.py.swp"), false),
            (event(create, "/t/.git/index"), false),
            (event(create, "/t/data/secrets.lock"), false),
            (event(create, "/t/data.py"), true),
            (Event::new(create), true),
        ];
        for (event, expected) in table {
            assert_eq!(
                matters(&event, Path::new("/t"), Some(Path::new("/t/data"))),
                expected,
                "{event:?}"
            );
        }
    }
}
