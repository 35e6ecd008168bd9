//! Folders for the temporary files of processes.

use std::{
    fs::{self, File, Permissions, TryLockError},
    io,
    os::unix::fs::{PermissionsExt as _, chown},
    path::Path,
};

use tempfile::TempDir;

use super::homes::{PASSABLE, PRIVATE, make_folder};

/// A private folder for the temporary files of one process; it goes with the value.
#[derive(Debug)]
pub(crate) struct TempFolder {
    folder: TempDir,
    /// Tells [`sweep`](Self::sweep) that the folder is in use.
    _lock: File,
}

impl TempFolder {
    /// A new folder in `root`, which is made unless it is there. It belongs to `user`, or to the user of this process.
    pub(crate) fn new_in(root: &Path, user: Option<u32>) -> io::Result<Self> {
        make_folder(root, PASSABLE)?;
        let folder = tempfile::Builder::new()
            .prefix("")
            .permissions(Permissions::from_mode(PRIVATE))
            .tempdir_in(root)?;
        if user.is_some() {
            chown(folder.path(), user, user)?;
        }
        let lock = File::open(folder.path())?;
        lock.lock()?;
        Ok(Self { folder, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes the folders in `root` that nobody uses any more: a gateway that is killed leaves them.
    pub(crate) fn sweep(root: &Path) {
        for entry in fs::read_dir(root).into_iter().flatten().flatten() {
            let unused = File::open(entry.path()).is_ok_and(|folder| match folder.try_lock() {
                Ok(()) => true,
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
            });
            if unused {
                fs::remove_dir_all(entry.path()).ok();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_that_nobody_uses_are_swept() {
        let root = tempfile::tempdir().unwrap();
        let used = TempFolder::new_in(root.path(), None).unwrap();
        fs::create_dir_all(root.path().join("left/over")).unwrap();
        TempFolder::sweep(root.path());
        let left: Vec<_> = fs::read_dir(root.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert_eq!(left, [used.path()]);
        drop(used);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
