//! Replacing a file as a whole.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

use crate::disk::Disk;

/// Writes a file that only its owner may read beside `path`, waits until it is on the disk, and gives it that name. Whatever happens,
/// also when the program is killed, `path` is the old or the new file. Whoever writes the same file at the same time has to hold a
/// lock, as both use one name beside it.
///
/// ```
/// use tooldock_secrets::{RealDisk, replace};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join(".env");
/// replace(&RealDisk, &path, b"BEARER_TOKEN=from-the-safe\n")?;
/// assert_eq!(std::fs::read(&path)?, b"BEARER_TOKEN=from-the-safe\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// What the system says; `path` is the old file then, unless only the folder could not be flushed.
pub fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let aside = aside(path);
    let written = write(disk, &aside, bytes).and_then(|()| disk.rename(&aside, path));
    if let Err(error) = written {
        // If that fails as well, the next writer does it.
        disk.remove(&aside).ok();
        return Err(error);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    disk.sync_folder(folder.unwrap_or(Path::new(".")))
}

/// The name under which a file is written before it gets its own.
pub(crate) fn aside(path: &Path) -> PathBuf {
    let mut name: OsString = path.into();
    name.push(".new");
    name.into()
}

/// Writes a new file that only its owner may read, and waits until it is on the disk.
pub(crate) fn write(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    disk.remove(path)?;
    let file = disk.create(path)?;
    let mut rest = bytes;
    while !rest.is_empty() {
        match disk.write(&file, rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(length) => rest = &rest[length..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    disk.sync(&file)
}
