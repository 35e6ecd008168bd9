//! The folders that a worker may write.

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use tooldock_engine::NamespaceName;

/// The home of a namespace below `data_dir`: what its tools keep. Made unless it is there; private.
pub(crate) fn make_home(data_dir: &Path, namespace: &NamespaceName) -> io::Result<PathBuf> {
    let homes = data_dir.join("homes");
    let home = homes.join(namespace.as_str());
    for folder in [&homes, &home] {
        match DirBuilder::new().mode(0o700).create(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // A link would lead elsewhere.
                if !fs::symlink_metadata(folder)?.is_dir() {
                    let text = format!("`{}` is no folder; move it away", folder.display());
                    return Err(io::Error::new(io::ErrorKind::NotADirectory, text));
                }
            }
            made => made?,
        }
    }
    Ok(home)
}

/// A private folder for the temporary files of one process; it goes with the value.
#[derive(Debug)]
pub(crate) struct TempFolder {
    folder: TempDir,
    /// Tells [`sweep`](Self::sweep) that the folder is in use.
    _lock: File,
}

impl TempFolder {
    /// A new folder in `root`, which is made unless it is there.
    pub(crate) fn new_in(root: &Path) -> io::Result<Self> {
        DirBuilder::new().mode(0o700).recursive(true).create(root)?;
        let folder = tempfile::Builder::new().prefix("").tempdir_in(root)?;
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
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn only_folders_that_nobody_uses_are_swept() {
        let root = tempfile::tempdir().unwrap();
        let used = TempFolder::new_in(root.path()).unwrap();
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

    #[test]
    fn a_home_is_private_and_no_link() {
        let data = tempfile::tempdir().unwrap();
        let home = make_home(data.path(), &"demo".parse().unwrap()).unwrap();
        assert_eq!(fs::metadata(&home).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(make_home(data.path(), &"demo".parse().unwrap()).unwrap(), home);
        symlink("/etc", data.path().join("homes/linked")).unwrap();
        let error = make_home(data.path(), &"linked".parse().unwrap()).unwrap_err();
        assert!(
            error.to_string().ends_with("is no folder; move it away"),
            "{error}"
        );
    }
}
