//! Why an edit does not go on.

use std::{io, path::PathBuf};

use crate::store::StoreError;

/// Why an edit does not go on. Names lines and secrets, never a value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// No folder is on memory.
    #[error(
        "none of {0} is a file system on memory, and values must not reach a disk; use `secrets set`, or allow it once with \
         `--allow-disk`"
    )]
    NoMemory(String),
    /// The text breaks a rule; it can be edited again.
    #[error("{0}")]
    Sheet(String),
    /// A file of the edit cannot be used.
    #[error("cannot {action} `{}`: {source}; nothing was changed", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
