//! The store: one folder with three files.

mod contents;
mod error;
mod follower;
mod health;
mod locked;
mod prepare;
mod read;
mod rekey;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

pub use self::{contents::Contents, error::StoreError, follower::Follower, health::Health, locked::Locked};
use crate::{
    disk::{Disk, RealDisk},
    kdf::Kdf,
    keys::Keys,
    lock,
};

/// The file with the values.
pub const SECRETS_FILE: &str = "secrets.enc";
/// The file with names and states.
pub const META_FILE: &str = "secrets.meta.yaml";
/// The file that writers lock.
const LOCK_FILE: &str = "secrets.lock";
/// How long a writer waits for the one before it.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// Says why a name must not be used although it is well formed; the names of variables that steer programs, for instance.
pub type NameRule = fn(&str) -> Result<(), String>;

/// The secrets of one folder. Reading needs no lock; every writer waits up to 10 s for the one before it.
///
/// The lock holds between programs, also in different containers, on one machine; not on network file systems.
pub struct Store {
    folder: PathBuf,
    keys: Arc<Keys>,
    kdf: Kdf,
    pub(crate) disk: Arc<dyn Disk>,
    rule: NameRule,
    wait: Duration,
}

impl Store {
    /// The store in `folder`. Nothing is read or made yet.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, keys: impl Into<Arc<Keys>>) -> Self {
        Self {
            folder: folder.into(),
            keys: keys.into(),
            kdf: Kdf::STRONG,
            disk: Arc::new(RealDisk),
            rule: |_| Ok(()),
            wait: LOCK_WAIT,
        }
    }

    /// The cost of the key in files that are new or get a new key; [`Kdf::STRONG`] without this.
    #[must_use]
    pub fn with_kdf(mut self, kdf: Kdf) -> Self {
        self.kdf = kdf;
        self
    }

    /// Another disk, for tests.
    #[must_use]
    pub fn with_disk(mut self, disk: Arc<dyn Disk>) -> Self {
        self.disk = disk;
        self
    }

    /// Refuses new names that `rule` has a reason against.
    #[must_use]
    pub fn with_rule(mut self, rule: NameRule) -> Self {
        self.rule = rule;
        self
    }

    /// How long a writer waits for the one before it; 10 s without this.
    #[must_use]
    pub fn with_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Lets nobody else write while the result lives.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when another writer does not end in time.
    pub fn lock(&self) -> Result<Locked<'_>, StoreError> {
        let path = self.folder.join(LOCK_FILE);
        let file = lock::wait(&*self.disk, &path, self.wait)
            .map_err(|error| self.failed("lock", LOCK_FILE, error))?;
        file.map(|file| Locked {
            store: self,
            _lock: file,
        })
        .ok_or(StoreError::Busy(self.wait))
    }

    /// Reads, lets `change` change, and writes, while nobody else does. Nothing is written when `change` fails.
    ///
    /// # Errors
    /// As [`Locked::read`] and [`Locked::write`], and what `change` says.
    pub fn change(
        &self,
        change: impl FnOnce(&mut Contents) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let locked = self.lock()?;
        let mut contents = locked.read()?;
        change(&mut contents)?;
        locked.write(contents)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    fn failed(&self, action: &'static str, file: &str, source: std::io::Error) -> StoreError {
        StoreError::Io {
            action,
            path: self.path(file),
            source,
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}
