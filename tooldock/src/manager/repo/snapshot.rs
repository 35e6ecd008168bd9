//! The files of a repository or an archive, as one file of contents and one of names.

use std::{collections::BTreeMap, fs::File, io, os::unix::fs::FileExt as _, path::Path};

use serde::{Deserialize, Serialize};

use super::SourceError;

/// The file of names in the folder of a snapshot.
pub(super) const INDEX: &str = "index.json";
/// The file of contents beside it.
pub(super) const CONTENTS: &str = "contents";

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum EntryKind {
    /// A file of text, whose content is kept.
    Text,
    /// A file of something else.
    Binary,
    /// A file that is too large to be kept.
    Large,
    /// A link, which is not followed.
    Link,
    /// Another repository, which is not cloned.
    Submodule,
}

/// One entry.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// Its size in bytes; 0 where that is not known.
    pub size: u64,
    /// Where its content begins, for text.
    pub(super) at: u64,
}

/// The names of a snapshot.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Index {
    pub(super) source: String,
    pub(super) entries: BTreeMap<String, Entry>,
    /// Entries whose names are no names of files.
    pub(super) odd_names: usize,
}

/// The files of a repository or an archive. It does not change.
#[derive(Debug)]
pub struct Snapshot {
    index: Index,
    contents: File,
}

impl Snapshot {
    /// The snapshot that a folder holds.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let index = std::fs::read(folder.join(INDEX))?;
        Ok(Self {
            index: serde_json::from_slice(&index)?,
            contents: File::open(folder.join(CONTENTS))?,
        })
    }

    /// Every name with what stands under it, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.index
            .entries
            .iter()
            .map(|(path, entry)| (path.as_str(), entry))
    }

    /// How many entries were left out because their names are no names of files.
    #[must_use]
    pub fn odd_names(&self) -> usize {
        self.index.odd_names
    }

    /// The text of a file. The path must be one of [`Snapshot::entries`] to the letter.
    ///
    /// # Errors
    /// There is no such file, it is no text, or it cannot be read.
    pub fn read(&self, path: &str) -> Result<String, SourceError> {
        let Some(entry) = self.index.entries.get(path) else {
            return Err(SourceError::NoFile {
                path: path
                    .chars()
                    .take(200)
                    .collect::<String>()
                    .escape_debug()
                    .to_string(),
                hint: self.hint(path),
            });
        };
        let what = match entry.kind {
            EntryKind::Text => {
                let mut content = vec![0; usize::try_from(entry.size).unwrap_or(usize::MAX)];
                self.contents.read_exact_at(&mut content, entry.at)?;
                return Ok(String::from_utf8_lossy(&content).into_owned());
            }
            EntryKind::Binary => "not text",
            EntryKind::Large => "larger than CLONE_MAX_FILE_KB",
            EntryKind::Link => "a link, which is not followed",
            EntryKind::Submodule => "another repository, which is not cloned",
        };
        Err(SourceError::NotText {
            path: path.to_owned(),
            what,
        })
    }

    /// Files with the same last name.
    fn hint(&self, path: &str) -> String {
        let name = path.rsplit('/').next().unwrap_or_default();
        let alike = |known: &&String| known.rsplit('/').next() == Some(name);
        let known: Vec<String> = self
            .index
            .entries
            .keys()
            .filter(alike)
            .take(3)
            .map(|path| format!("`{path}`"))
            .collect();
        if known.is_empty() {
            "; take a path from `files` of the analysis".to_owned()
        } else {
            format!("; there is {}", known.join(", "))
        }
    }
}
