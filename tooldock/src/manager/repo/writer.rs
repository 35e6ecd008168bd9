//! Fills a snapshot within its limits.

use std::{
    fs::File,
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use super::{
    Entry, EntryKind, Limits, Snapshot, SourceError,
    snapshot::{CONTENTS, INDEX, Index},
};

/// Bytes at the start of a file that are looked at for a zero, which no text has.
const LOOKED_AT: usize = 8 << 10;

/// A snapshot in the making.
#[derive(Debug)]
pub struct SnapshotWriter {
    folder: PathBuf,
    limits: Limits,
    index: Index,
    contents: BufWriter<File>,
    written: u64,
    /// What stands before the names.
    below: String,
}

impl SnapshotWriter {
    /// An empty snapshot in `folder`.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn new(folder: &Path, limits: Limits) -> io::Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            limits,
            index: Index::default(),
            contents: BufWriter::new(File::create_new(folder.join(CONTENTS))?),
            written: 0,
            below: String::new(),
        })
    }

    /// What is added from now on lies in this folder, a plain path.
    pub(in super::super) fn enter(&mut self, folder: &str) {
        self.below = format!("{folder}/");
    }

    /// What it may hold.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Adds a file: its content when that is text, else its name only.
    ///
    /// # Errors
    /// A limit is reached, or the content cannot be written.
    pub fn file(&mut self, path: &str, content: &[u8]) -> Result<(), SourceError> {
        let size = content.len() as u64;
        if size > self.limits.file_bytes {
            return self.note(path, EntryKind::Large, size);
        }
        if content[..content.len().min(LOOKED_AT)].contains(&0) {
            return self.note(path, EntryKind::Binary, size);
        }
        if self.written + size > self.limits.total_bytes {
            return Err(self.too_large());
        }
        let at = self.written;
        self.contents.write_all(content)?;
        self.written += size;
        self.insert(
            path,
            Entry {
                kind: EntryKind::Text,
                size,
                at,
            },
        )
    }

    /// Adds the name of something whose content is not kept.
    ///
    /// # Errors
    /// There are too many entries.
    pub fn note(&mut self, path: &str, kind: EntryKind, size: u64) -> Result<(), SourceError> {
        self.insert(path, Entry { kind, size, at: 0 })
    }

    /// Counts an entry whose name is none.
    ///
    /// # Errors
    /// There are too many entries.
    pub fn skip_odd_name(&mut self) -> Result<(), SourceError> {
        self.index.odd_names += 1;
        self.check_count()
    }

    /// The error of more entries than may be.
    #[must_use]
    pub fn too_many(&self) -> SourceError {
        SourceError::Limit {
            what: format!("it has more than {} entries", self.limits.entries),
            setting: "CLONE_MAX_FILES",
        }
    }

    /// The error of more bytes than may be.
    #[must_use]
    pub fn too_large(&self) -> SourceError {
        SourceError::Limit {
            what: format!("its files have more than {} bytes", self.limits.total_bytes),
            setting: "CLONE_MAX_MB",
        }
    }

    /// Ends it: only now there is a snapshot in the folder.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> io::Result<Snapshot> {
        self.contents.flush()?;
        std::fs::write(self.folder.join(INDEX), serde_json::to_vec(&self.index)?)?;
        Snapshot::open(&self.folder)
    }

    /// The first of two entries with one name stays, as it does in what was already read.
    fn insert(&mut self, path: &str, entry: Entry) -> Result<(), SourceError> {
        let path = format!("{}{path}", self.below);
        self.index.entries.entry(path).or_insert(entry);
        self.check_count()
    }

    fn check_count(&self) -> Result<(), SourceError> {
        if self.index.entries.len() + self.index.odd_names > self.limits.entries {
            return Err(self.too_many());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Limits {
        Limits {
            entries: 3,
            file_bytes: 8,
            total_bytes: 12,
            ..Limits::default()
        }
    }

    #[test]
    fn s67_what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = SnapshotWriter::new(folder.path(), small()).unwrap();
        writer.file("a.py", b"one").unwrap();
        writer.file("b.bin", b"x\0y").unwrap();
        writer.file("c.py", b"123456789").unwrap();
        let snapshot = writer.finish().unwrap();
        assert_eq!(snapshot.read("a.py").unwrap(), "one");
        assert!(
            snapshot
                .read("b.bin")
                .unwrap_err()
                .to_string()
                .contains("not text")
        );
        assert!(
            snapshot
                .read("c.py")
                .unwrap_err()
                .to_string()
                .contains("CLONE_MAX_FILE_KB")
        );
    }

    #[test]
    fn s67_each_limit_names_its_setting() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = SnapshotWriter::new(folder.path(), small()).unwrap();
        writer.file("a", b"12345678").unwrap();
        let large = writer.file("b", b"12345").unwrap_err();
        assert!(large.to_string().contains("CLONE_MAX_MB"), "{large}");
        writer.note("c", EntryKind::Link, 0).unwrap();
        writer.skip_odd_name().unwrap();
        let many = writer.note("d", EntryKind::Link, 0).unwrap_err();
        assert!(many.to_string().contains("CLONE_MAX_FILES"), "{many}");
    }

    #[test]
    fn s68_only_the_exact_path_of_an_entry_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = SnapshotWriter::new(folder.path(), small()).unwrap();
        writer.file("src/a.py", b"one").unwrap();
        let snapshot = writer.finish().unwrap();
        for path in [
            "",
            "/etc/passwd",
            "src/../src/a.py",
            "./src/a.py",
            "src//a.py",
            "SRC/a.py",
            "src/a.py/",
            "src/a.py\0",
            "contents",
            "../index.json",
        ] {
            let error = snapshot.read(path).unwrap_err();
            assert!(matches!(error, SourceError::NoFile { .. }), "{path}: {error}");
        }
        assert!(
            snapshot
                .read("lib/a.py")
                .unwrap_err()
                .to_string()
                .contains("there is `src/a.py`")
        );
    }
}
