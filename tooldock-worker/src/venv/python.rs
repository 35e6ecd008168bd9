//! The interpreter of an environment, and who uses it.

use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// The interpreter of an environment. Nobody removes the environment while a clone of this is there.
#[derive(Debug, Clone)]
pub(crate) struct Python(Arc<PathBuf>);

impl Deref for Python {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl From<PathBuf> for Python {
    fn from(program: PathBuf) -> Self {
        Self(Arc::new(program))
    }
}

/// The interpreters that somebody uses.
#[derive(Debug, Default)]
pub(super) struct Users(Mutex<Vec<Weak<PathBuf>>>);

impl Users {
    /// The interpreter of the environment in `folder`, used from now on.
    pub(super) fn add(&self, folder: &Path) -> Python {
        let python = Python::from(program(folder));
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        users.retain(|user| user.strong_count() > 0);
        users.push(Arc::downgrade(&python.0));
        python
    }

    /// Whether somebody uses the environment in `folder`.
    pub(super) fn use_it(&self, folder: &Path) -> bool {
        let users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        users
            .iter()
            .filter_map(Weak::upgrade)
            .any(|python| python.starts_with(folder))
    }
}

/// The interpreter of the environment in `folder`.
pub(super) fn program(folder: &Path) -> PathBuf {
    folder.join("bin/python")
}
