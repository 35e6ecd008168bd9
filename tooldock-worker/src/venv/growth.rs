//! How much of the disk an installation takes.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::time::{Instant, sleep};

/// How far apart the looks at the disk are, at the least.
const AGAIN: Duration = Duration::from_secs(1);
/// A look may take this part of the time between two.
const SHARE: u32 = 10;

/// What the folders of an installation have grown by. The cache is one of them, so installations at the same time are counted together.
#[derive(Debug)]
pub(super) struct Growth {
    folders: Vec<PathBuf>,
    /// Bytes that they may hold.
    most: u64,
}

impl Growth {
    /// The installation begins, and may add `limit` bytes to `folders`.
    pub(super) async fn begin(folders: [&Path; 2], limit: u64) -> Self {
        let folders: Vec<PathBuf> = folders.map(Path::to_owned).into();
        let most = size(folders.clone()).await.saturating_add(limit);
        Self { folders, most }
    }

    /// Whether it has added more.
    pub(super) async fn is_too_large(&self) -> bool {
        size(self.folders.clone()).await > self.most
    }

    /// Waits until it has added more.
    pub(super) async fn too_large(&self) {
        loop {
            let began = Instant::now();
            if self.is_too_large().await {
                return;
            }
            sleep(AGAIN.max(began.elapsed() * SHARE)).await;
        }
    }
}

/// Bytes of the disk that everything in the folders takes; links are not followed.
async fn size(folders: Vec<PathBuf>) -> u64 {
    let sizes = move || folders.iter().map(|folder| below(folder)).sum();
    // Who is shut down measures nothing.
    tokio::task::spawn_blocking(sizes).await.unwrap_or_default()
}

fn below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => below(&entry.path()),
        Ok(found) => found.blocks() * 512,
        Err(_) => 0,
    };
    entries.map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_was_there_before_and_what_links_lead_to_does_not_count() {
        let (site, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(cache.path().join("old"), vec![1; 1 << 20]).unwrap();
        let growth = Growth::begin([site.path(), cache.path()], 256 << 10).await;
        std::os::unix::fs::symlink(cache.path().join("old"), site.path().join("link")).unwrap();
        fs::create_dir(site.path().join("inner")).unwrap();
        fs::write(site.path().join("inner/new"), vec![1; 128 << 10]).unwrap();
        assert!(!growth.is_too_large().await);
        fs::write(cache.path().join("new"), vec![1; 160 << 10]).unwrap();
        assert!(growth.is_too_large().await);
    }
}
