//! What an operator sets about the confinement of workers.

use std::path::PathBuf;

use super::{Protection, Sandbox, UserRange};
use crate::absolute;

/// How workers are confined. Operators set it; nothing in a namespace's folder can.
///
/// ```
/// use tooldock_worker::sandbox::{Sandbox, SandboxSettings};
/// let mut settings = SandboxSettings::default();
/// settings.mode = Sandbox::Strict;
/// settings.read.push("/srv/models".into());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SandboxSettings {
    /// How much confinement there must be. Default: what the system can enforce.
    pub mode: Sandbox,
    /// Bytes of memory that one process may fill. Default: 1 GiB.
    pub memory: u64,
    /// Bytes that a file may have which a worker writes. Default: 1 GiB.
    pub file_size: u64,
    /// Files and connections that one process may have open. Default: 4096.
    pub open_files: u64,
    /// Processes that one worker may start, itself included. A worker with more is replaced. Default: 256.
    pub processes: usize,
    /// Whether system calls are closed that reach into other processes or deep into the kernel. Default: `true`.
    pub filter_system_calls: bool,
    /// Users of which each namespace gets one of its own, where the gateway runs as root. What the workers are to read must be readable by
    /// everybody. Default: `None`, all of them are the gateway's own.
    pub users: Option<UserRange>,
    /// Folders and files that workers may read besides their own.
    pub read: Vec<PathBuf>,
    /// Folders and files that workers may read and write besides their own.
    pub write: Vec<PathBuf>,
}

impl Default for SandboxSettings {
    fn default() -> Self {
        Self {
            mode: Sandbox::default(),
            memory: 1 << 30,
            file_size: 1 << 30,
            open_files: 4096,
            processes: 256,
            filter_system_calls: true,
            users: None,
            read: Vec::new(),
            write: Vec::new(),
        }
    }
}

/// What differs for one namespace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SandboxChanges {
    /// How much confinement there must be.
    pub mode: Option<Sandbox>,
    /// Bytes of memory that one process may fill.
    pub memory: Option<u64>,
    /// Whether system calls are closed that reach into other processes or deep into the kernel.
    pub filter_system_calls: Option<bool>,
    /// What its workers may read besides.
    pub read: Vec<PathBuf>,
    /// What its workers may read and write besides.
    pub write: Vec<PathBuf>,
}

impl SandboxSettings {
    /// The same with what differs for one namespace.
    pub(crate) fn with(mut self, changes: &SandboxChanges) -> Self {
        self.mode = changes.mode.unwrap_or(self.mode);
        self.memory = changes.memory.unwrap_or(self.memory);
        self.filter_system_calls = changes.filter_system_calls.unwrap_or(self.filter_system_calls);
        self.read.extend(changes.read.iter().cloned().map(absolute));
        self.write.extend(changes.write.iter().cloned().map(absolute));
        self
    }

    /// Whether `protection` is to be there. Two cost nothing and are there without a sandbox as well.
    pub(super) fn asks_for(&self, protection: Protection) -> bool {
        match protection {
            Protection::OwnSession | Protection::UnreadableMemory => true,
            Protection::OwnUser => self.users.is_some(),
            Protection::SystemCalls => self.mode != Sandbox::Off && self.filter_system_calls,
            _ => self.mode != Sandbox::Off,
        }
    }

    /// The same with absolute paths.
    pub(crate) fn with_absolute_paths(mut self) -> Self {
        self.read = self.read.into_iter().map(absolute).collect();
        self.write = self.write.into_iter().map(absolute).collect();
        self
    }
}
