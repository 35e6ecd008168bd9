//! What fetched source code may cost, and why fetching it failed.

use std::{io, time::Duration};

use crate::outbound::{OutboundError, Refused};

/// What one repository or archive may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Files, links and submodules.
    pub entries: usize,
    /// Bytes of one file; of a larger one only the name is kept.
    pub file_bytes: u64,
    /// Bytes of everything: of the clone on disk, of an archive, and of the files that are kept.
    pub total_bytes: u64,
    /// How long fetching may take.
    pub time: Duration,
}

impl Default for Limits {
    /// 20,000 entries, 4 MiB a file, 200 MiB in all, 120 s.
    fn default() -> Self {
        Self {
            entries: 20_000,
            file_bytes: 4 << 20,
            total_bytes: 200 << 20,
            time: Duration::from_secs(120),
        }
    }
}

/// Why source code was not fetched or cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The address is not one that is cloned.
    #[error("`{shown}` is not cloned: {reason}")]
    Address {
        /// The address, shortened and without credentials.
        shown: String,
        /// What is wrong with it and what to write instead.
        reason: &'static str,
    },
    /// Its host is not on the operator's list.
    #[error("`{0}` is not one of the hosts in CLONE_ALLOWED_HOSTS")]
    NotListed(String),
    /// Its host may not be connected to.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A request failed.
    #[error(transparent)]
    Outbound(#[from] OutboundError),
    /// A limit was reached.
    #[error("{what}; the limit is {setting}")]
    Limit {
        /// What was too much.
        what: String,
        /// The setting to raise.
        setting: &'static str,
    },
    /// `git` could not clone it.
    #[error("`git` could not clone it: {0}")]
    Git(String),
    /// A package or an archive is not what it should be.
    #[error("{0}")]
    Archive(String),
    /// Nothing was fetched from there yet.
    #[error(
        "`{0}` was not analyzed yet, or was removed to make room; call analyze_repo or install_from_registry first"
    )]
    Unknown(String),
    /// It has no such file.
    #[error("there is no file `{path}`{hint}")]
    NoFile {
        /// What was asked for.
        path: String,
        /// Files that it might have been, or nothing.
        hint: String,
    },
    /// What is there is no text that is kept.
    #[error("`{path}` is {what} and cannot be read")]
    NotText {
        /// What was asked for.
        path: String,
        /// What it is.
        what: &'static str,
    },
    /// The folder of snapshots does not work.
    #[error("the folder of fetched repositories cannot be used: {0}")]
    Disk(#[from] io::Error),
}
