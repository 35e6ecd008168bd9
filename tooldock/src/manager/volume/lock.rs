//! One writer at a time, also across managers.

use std::{
    fs::{File, TryLockError},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use tooldock_engine::error::Result;

use super::super::refusal::{disk, refuse};

/// The file that writers lock, in the folder of tools.
const FILE: &str = ".lock";
/// How long a writer waits for the one before it.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it looks.
const AGAIN: Duration = Duration::from_millis(20);

/// The right to write; it ends with this value, or with the process.
#[derive(Debug)]
pub(in super::super) struct VolumeLock {
    _file: File,
}

impl VolumeLock {
    /// Waits at most 10 s. It blocks.
    pub(super) fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let failed = |error| disk("lock", path.display(), error);
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        let end = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) if Instant::now() < end => thread::sleep(AGAIN),
                Err(TryLockError::WouldBlock) => {
                    return Err(refuse(format!(
                        "somebody else is changing the tools, for longer than {} s; try again",
                        PATIENCE.as_secs()
                    )));
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }
}
