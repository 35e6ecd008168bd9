//! One builder at a time for each namespace, also across processes.

use std::{
    fs::{File, TryLockError},
    io,
    path::Path,
    time::Duration,
};

/// How often a lock that somebody else holds is tried again.
const AGAIN: Duration = Duration::from_millis(100);

/// A held lock; dropping it gives it back.
#[derive(Debug)]
pub(super) struct FolderLock(#[expect(dead_code, reason = "the lock lives as long as the open file")] File);

impl FolderLock {
    /// Takes the lock of `folder`, waiting at most `limit` for another holder.
    pub(super) async fn take(folder: &Path, limit: Duration) -> io::Result<Self> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join(".lock"))?;
        let taken = async {
            loop {
                match file.try_lock() {
                    Ok(()) => return Ok(()),
                    Err(TryLockError::WouldBlock) => tokio::time::sleep(AGAIN).await,
                    Err(TryLockError::Error(error)) => return Err(error),
                }
            }
        };
        let late = |_| {
            io::Error::new(
                io::ErrorKind::TimedOut,
                "another process is building here and does not finish",
            )
        };
        tokio::time::timeout(limit, taken).await.map_err(late)??;
        Ok(Self(file))
    }
}
