//! One writer at a time: the file `secrets.lock`, which is never removed.

use std::{
    fs::File,
    io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use crate::disk::Disk;

/// How often a lock that somebody has is asked for again.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits for the lock, but not longer than `limit`. The system frees it when the file is closed, so also when the program is
/// killed.
pub(crate) fn wait(disk: &dyn Disk, path: &Path, limit: Duration) -> io::Result<Option<File>> {
    let begin = Instant::now();
    loop {
        if let Some(file) = disk.lock(path)? {
            return Ok(Some(file));
        }
        if begin.elapsed() >= limit {
            return Ok(None);
        }
        thread::park_timeout(PAUSE);
    }
}
