//! Snapshots that are kept for a while, each in a folder named by the digest of its source.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use tempfile::TempDir;

use super::{Snapshot, Source, SourceError};

/// A folder of snapshots. The ones that were fetched first are removed when there are too many.
#[derive(Debug, Clone)]
pub struct Shelf {
    folder: PathBuf,
    places: usize,
}

impl Shelf {
    /// A shelf in `folder`, which is made when it is first used, for `places` snapshots.
    #[must_use]
    pub fn new(folder: PathBuf, places: usize) -> Self {
        Self { folder, places }
    }

    /// An empty folder on the same disk, to make a snapshot in. Dropping it removes it.
    ///
    /// # Errors
    /// The folder of the shelf cannot be written to.
    pub fn desk(&self) -> io::Result<TempDir> {
        fs::create_dir_all(&self.folder)?;
        tempfile::Builder::new().prefix(".new-").tempdir_in(&self.folder)
    }

    /// Keeps the snapshot on a desk, instead of an older one of the same source.
    ///
    /// # Errors
    /// The folder of the shelf cannot be written to.
    pub fn keep(&self, source: &Source, desk: TempDir) -> Result<Snapshot, SourceError> {
        let place = self.place(source);
        if place.exists() {
            let old = self.desk()?;
            fs::rename(&place, old.path().join("old"))?;
        }
        fs::rename(desk.path(), &place)?;
        drop(desk);
        self.make_room(&place)?;
        Ok(Snapshot::open(&place)?)
    }

    /// The snapshot of a source.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn find(&self, source: &Source) -> Result<Snapshot, SourceError> {
        Snapshot::open(&self.place(source)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => SourceError::Unknown(source.to_string()),
            _ => error.into(),
        })
    }

    fn place(&self, source: &Source) -> PathBuf {
        self.folder.join(source.digest())
    }

    fn make_room(&self, newest: &Path) -> io::Result<()> {
        let mut kept = Vec::new();
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if !hidden && entry.path() != newest {
                let made = entry.metadata().and_then(|about| about.modified());
                kept.push((made.unwrap_or(SystemTime::UNIX_EPOCH), entry.path()));
            }
        }
        kept.sort();
        let excess = (kept.len() + 1).saturating_sub(self.places);
        kept.iter()
            .take(excess)
            .try_for_each(|(_, folder)| fs::remove_dir_all(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manager::repo::{Limits, SnapshotWriter};

    fn put(shelf: &Shelf, source: &Source, text: &str) -> Snapshot {
        let desk = shelf.desk().unwrap();
        let mut writer = SnapshotWriter::new(desk.path(), Limits::default()).unwrap();
        writer.file("a.py", text.as_bytes()).unwrap();
        writer.finish().unwrap();
        shelf.keep(source, desk).unwrap()
    }

    #[test]
    fn s68_a_source_is_found_by_its_digest_only() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(folder.path().join("repositories"), 2);
        let source = |name: &str| format!("https://git.example/{name}").parse::<Source>().unwrap();
        assert!(matches!(
            shelf.find(&source("a")).unwrap_err(),
            SourceError::Unknown(_)
        ));
        put(&shelf, &source("a"), "one");
        assert_eq!(put(&shelf, &source("a"), "two").read("a.py").unwrap(), "two");
        put(&shelf, &source("b"), "b");
        put(&shelf, &source("c"), "c");
        assert!(shelf.find(&source("a")).is_err(), "the oldest made room");
        assert_eq!(shelf.find(&source("c")).unwrap().read("a.py").unwrap(), "c");
        let names: Vec<_> = fs::read_dir(folder.path().join("repositories"))
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        assert_eq!(names.len(), 2, "no desk is left: {names:?}");
        assert!(names.iter().all(|name| name.len() == 32));
    }
}
