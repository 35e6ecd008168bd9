//! The private folder in which an edit lies, and its end.

use std::{
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io::{self, Seek as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use super::{EditError, Places};
use crate::disk::{Disk as _, RealDisk};

/// How the name of each such folder begins.
const PREFIX: &str = "tooldock-edit-";
/// The file that is locked as long as an edit goes on.
const IN_USE: &str = ".in-use";

/// A private folder for plain text. It is wiped with everything in it when this is dropped.
#[derive(Debug)]
pub struct Desk {
    folder: PathBuf,
    _in_use: File,
}

impl Desk {
    /// Makes a folder at the best place.
    ///
    /// # Errors
    /// [`EditError::NoMemory`] when no place is on memory, and what the system says.
    pub fn new(places: &Places) -> Result<Self, EditError> {
        let mut number = [0; 8];
        getrandom::fill(&mut number).map_err(|_| crate::store::StoreError::Random)?;
        let name = format!("{PREFIX}{:016x}", u64::from_le_bytes(number));
        let folder = places.best()?.join(name);
        let made = DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .and_then(|()| RealDisk.lock(&folder.join(IN_USE)));
        let failed = |source| EditError::Io {
            action: "make",
            path: folder.clone(),
            source,
        };
        let in_use = made
            .map_err(failed)?
            .ok_or_else(|| failed(io::ErrorKind::ResourceBusy.into()))?;
        Ok(Self {
            folder,
            _in_use: in_use,
        })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Wipes the folders of edits that were killed, wherever one could have been. Says how many there were.
    pub fn sweep(places: &Places) -> usize {
        let entries = places
            .usable()
            .filter_map(|place| fs::read_dir(place).ok())
            .flatten()
            .flatten();
        let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
        ours.filter(|entry| abandoned(&entry.path()) && wipe(&entry.path()).is_ok())
            .count()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // What cannot be wiped now is wiped by the next edit.
        wipe(&self.folder).ok();
    }
}

/// Whether a folder is ours, and its edit is over.
fn abandoned(folder: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    let ours = |about: &Metadata| about.is_dir() && about.uid() == user;
    folder.symlink_metadata().is_ok_and(|about| ours(&about))
        && RealDisk
            .lock(&folder.join(IN_USE))
            .is_ok_and(|lock| lock.is_some())
}

/// Overwrites every file in a folder, and removes the folder. Never follows a link.
fn wipe(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let about = path.symlink_metadata()?;
        if about.is_dir() {
            wipe(&path)?;
            continue;
        }
        // A file with a second name would be overwritten there as well: it is only unlinked.
        if about.is_file() && about.nlink() == 1 {
            overwrite(&path, about.len()).ok();
        }
        fs::remove_file(&path)?;
    }
    fs::remove_dir(folder)
}

fn overwrite(path: &Path, length: u64) -> io::Result<()> {
    let flags = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    let mut file = OpenOptions::new().write(true).custom_flags(flags).open(path)?;
    file.rewind()?;
    io::copy(&mut io::Read::take(io::repeat(0), length), &mut file)?;
    file.flush()
}
