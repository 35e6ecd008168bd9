//! Files that can be analyzed.

use super::super::repo::{EntryKind, Snapshot};

/// Names with texts.
pub trait Files {
    /// The path of every file that has a text.
    fn paths(&self) -> Vec<&str>;

    /// The text of a file; nothing when it cannot be read.
    fn read(&self, path: &str) -> Option<String>;
}

impl Files for Snapshot {
    fn paths(&self) -> Vec<&str> {
        self.entries()
            .filter(|(_, entry)| entry.kind == EntryKind::Text)
            .map(|(path, _)| path)
            .collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        Snapshot::read(self, path).ok()
    }
}

impl<const N: usize> Files for [(&str, &str); N] {
    fn paths(&self) -> Vec<&str> {
        self.iter().map(|(path, _)| *path).collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        self.iter()
            .find(|(known, _)| *known == path)
            .map(|(_, text)| (*text).to_owned())
    }
}
