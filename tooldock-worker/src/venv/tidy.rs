//! Removing what nobody needs any more.

use std::{io, path::Path};

use tokio::fs;

use super::{Environments, build::MARK};

/// Environments that are kept beside those in use, the newest: what a namespace had before may come back.
const KEPT: usize = 2;

impl Environments {
    /// Removes the oldest environments of an owner's folder that no worker uses. The caller has its lock.
    pub(super) async fn tidy(&self, folder: &Path) -> io::Result<()> {
        let mut unused = Vec::new();
        let mut entries = fs::read_dir(folder).await?;
        while let Some(entry) = entries.next_entry().await? {
            let environment = entry.path();
            let made = fs::metadata(environment.join(MARK)).await;
            // What has no mark is nothing to come back to: it goes first.
            let made = made.and_then(|mark| mark.modified()).ok();
            if entry.file_type().await?.is_dir() && !self.users.use_it(&environment) {
                unused.push((made, environment));
            }
        }
        unused.sort();
        for (_, environment) in &unused[..unused.len().saturating_sub(KEPT)] {
            fs::remove_dir_all(environment).await?;
        }
        Ok(())
    }
}
