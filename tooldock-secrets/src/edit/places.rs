//! Where plain text may lie for a moment.

use std::path::{Path, PathBuf};

use rustix::fs::statfs;

use super::EditError;

/// `f_type` of `tmpfs` (statfs(2)).
const TMPFS: i64 = 0x0102_1994;
/// `f_type` of `ramfs` (statfs(2)).
const RAMFS: i64 = 0x8584_58f6;

/// Folders in which an edit may lie, the best first. Only one that is on memory is used.
#[derive(Debug, Clone)]
pub struct Places {
    folders: Vec<PathBuf>,
    disk: Option<PathBuf>,
}

impl Default for Places {
    fn default() -> Self {
        Self::new(["/dev/shm", "/run/shm", "/tmp"])
    }
}

impl Places {
    /// These folders, in this order.
    #[must_use]
    pub fn new<P: Into<PathBuf>>(folders: impl IntoIterator<Item = P>) -> Self {
        Self {
            folders: folders.into_iter().map(Into::into).collect(),
            disk: None,
        }
    }

    /// Takes this folder, on a disk, when none is on memory.
    #[must_use]
    pub fn or_disk(mut self, folder: impl Into<PathBuf>) -> Self {
        self.disk = Some(folder.into());
        self
    }

    /// Those on memory, and the disk behind them if it is allowed.
    pub(super) fn usable(&self) -> impl Iterator<Item = &Path> {
        let memory = self.folders.iter().filter(|folder| on_memory(folder));
        memory.chain(&self.disk).map(PathBuf::as_path)
    }

    pub(super) fn best(&self) -> Result<&Path, EditError> {
        self.usable().next().ok_or_else(|| {
            let shown: Vec<_> = self
                .folders
                .iter()
                .map(|folder| format!("`{}`", folder.display()))
                .collect();
            EditError::NoMemory(shown.join(", "))
        })
    }
}

/// Whether the system keeps a folder on memory.
#[allow(
    clippy::unnecessary_cast,
    reason = "the type of the number differs between systems"
)]
fn on_memory(folder: &Path) -> bool {
    statfs(folder).is_ok_and(|about| [TMPFS, RAMFS].contains(&(about.f_type as i64)))
}
