//! The private folder in which an edit lies, and its end.

use std::{
    fs::{self, File, Metadata},
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{EditError, Places};
use crate::disk::{Disk, RealDisk};

/// How the name of each such folder begins.
const PREFIX: &str = "tooldock-edit-";
/// The file that is locked as long as an edit goes on.
const IN_USE: &str = ".in-use";

/// A private folder for plain text. It is wiped with everything in it when this is dropped.
#[derive(Debug)]
pub struct Desk {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    _in_use: File,
}

impl Desk {
    /// Makes a folder at the best place.
    ///
    /// # Errors
    /// [`EditError::NoMemory`] when no place is on memory, and what the system says.
    pub fn new(places: &Places) -> Result<Self, EditError> {
        Self::on(Arc::new(RealDisk), places)
    }

    /// Makes a folder by means of `disk`.
    pub(super) fn on(disk: Arc<dyn Disk>, places: &Places) -> Result<Self, EditError> {
        let mut number = [0; 8];
        getrandom::fill(&mut number).map_err(|_| crate::store::StoreError::Random)?;
        let name = format!("{PREFIX}{:016x}", u64::from_le_bytes(number));
        let folder = places.best()?.join(name);
        let failed = |source| EditError::Io {
            action: "make",
            path: folder.clone(),
            source,
        };
        let made = disk.create_folder(&folder);
        let in_use = made
            .and_then(|()| disk.lock(&folder.join(IN_USE)))
            .map_err(failed)?
            .ok_or_else(|| failed(io::ErrorKind::ResourceBusy.into()))?;
        Ok(Self {
            disk,
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
        Self::sweep_on(&RealDisk, places)
    }

    pub(super) fn sweep_on(disk: &dyn Disk, places: &Places) -> usize {
        let entries = places
            .usable()
            .filter_map(|place| fs::read_dir(place).ok())
            .flatten()
            .flatten();
        let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
        ours.filter(|entry| abandoned(disk, &entry.path()) && wipe(disk, &entry.path()).is_ok())
            .count()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // What cannot be wiped now is wiped by the next edit.
        wipe(&*self.disk, &self.folder).ok();
    }
}

/// Whether a folder is ours, and its edit is over.
fn abandoned(disk: &dyn Disk, folder: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    let ours = |about: &Metadata| about.is_dir() && about.uid() == user;
    folder.symlink_metadata().is_ok_and(|about| ours(&about))
        && disk.lock(&folder.join(IN_USE)).is_ok_and(|lock| lock.is_some())
}

/// Overwrites every file in a folder, and removes the folder. Never follows a link.
fn wipe(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let about = path.symlink_metadata()?;
        if about.is_dir() {
            wipe(disk, &path)?;
            continue;
        }
        // A file with a second name would be overwritten there as well: it is only unlinked.
        if about.is_file() && about.nlink() == 1 {
            disk.overwrite(&path, about.len()).ok();
        }
        disk.remove(&path)?;
    }
    disk.remove_folder(folder)
}
