//! Replacing a file as a whole.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

use crate::disk::Disk;

/// Writes a file beside `path`, waits until it is on the disk, and gives it that name. Whatever happens, `path` is the old or the
/// new file. The caller holds the lock, so that nobody else uses the name beside it.
pub(crate) fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let aside = aside(path);
    let written = write(disk, &aside, bytes).and_then(|()| disk.rename(&aside, path));
    if let Err(error) = written {
        // If that fails as well, the next writer does it.
        disk.remove(&aside).ok();
        return Err(error);
    }
    disk.sync_folder(path.parent().unwrap_or(Path::new(".")))
}

/// The name under which a file is written before it gets its own.
pub(crate) fn aside(path: &Path) -> PathBuf {
    let mut name: OsString = path.into();
    name.push(".new");
    name.into()
}

fn write(disk: &dyn Disk, aside: &Path, bytes: &[u8]) -> io::Result<()> {
    disk.remove(aside)?;
    let file = disk.create(aside)?;
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
