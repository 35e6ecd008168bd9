//! Building one environment aside and putting it in its place.

use std::{io, path::Path};

use tokio::{fs, time::Instant};
use tooldock_engine::error::Result;

use super::{
    Environments,
    installer::longest_build,
    lock::FolderLock,
    python::{Python, program},
    recipe::Recipe,
    site::Site,
};
use crate::host::Progress;

/// The file that says that an environment is complete.
pub(super) const MARK: &str = ".ok";
/// The beginning of the name of what is being built.
const ASIDE: &str = ".build-";

impl Environments {
    /// Python of the environment that `recipe` describes; built unless it is there.
    pub(super) async fn ensure(&self, recipe: &Recipe<'_>, progress: &dyn Progress) -> Result<Python> {
        let folder = self.root.join(recipe.owner());
        let target = folder.join(recipe.key(&self.interpreter, &self.installer));
        let user = self.users.add(&target);
        if is_complete(&target).await {
            return Ok(user);
        }
        let disk = |error: io::Error| {
            recipe.failed(self.installer.name(), &format!("`{}`: {error}", folder.display()))
        };
        fs::create_dir_all(&folder).await.map_err(disk)?;
        let lock = FolderLock::take(&folder, longest_build(self.time_limit)).await;
        let _lock = lock.map_err(disk)?;
        // Only after the lock: who waits for another process keeps nobody here waiting.
        let turn = self.builds.acquire().await;
        let _turn = turn.expect("the semaphore is never closed");
        if !is_complete(&target).await {
            clear(&folder, &target).await.map_err(disk)?;
            if let Err(error) = self.build(recipe, &folder, &target, progress).await {
                return self.equal(&folder, recipe).await.ok_or(error);
            }
            if self.removes
                && let Err(error) = self.tidy(&folder).await
            {
                tracing::warn!(folder = %folder.display(), %error, "old environments could not be removed");
            }
        }
        Ok(user)
    }

    async fn build(
        &self,
        recipe: &Recipe<'_>,
        folder: &Path,
        target: &Path,
        progress: &dyn Progress,
    ) -> Result<()> {
        let installer = self.installer.name();
        let failed = |what: String| recipe.failed(installer, &what);
        let disk = |error: io::Error| failed(error.to_string());
        let started = Instant::now();
        let aside = tempfile::Builder::new()
            .prefix(ASIDE)
            .tempdir_in(folder)
            .map_err(disk)?;
        let site = Site::at(aside.path());
        if !recipe.packages.is_empty() {
            let packages = recipe.told();
            progress.say(
                recipe.namespace,
                &format!("installing {packages} with {installer}"),
            );
        }
        let built = self
            .installer
            .build(&self.interpreter, &site, &recipe.packages)
            .await;
        built.map_err(|error| failed(error.to_string()))?;
        let mark = recipe.mark(&self.interpreter);
        fs::write(site.environment().join(MARK), mark)
            .await
            .map_err(disk)?;
        fs::rename(site.environment(), target).await.map_err(disk)?;
        let seconds = started.elapsed().as_secs_f32();
        progress.say(
            recipe.namespace,
            &format!("the environment is complete after {seconds:.1} s"),
        );
        Ok(())
    }

    /// An environment with the same packages and Python that another installer or index built, for when none can be built now.
    async fn equal(&self, folder: &Path, recipe: &Recipe<'_>) -> Option<Python> {
        let mark = recipe.mark(&self.interpreter);
        let mut entries = fs::read_dir(folder).await.ok()?;
        while let Ok(Some(entry)) = entries.next_entry().await {
            let found = fs::read_to_string(entry.path().join(MARK)).await;
            if found.is_ok_and(|found| found == mark) && is_complete(&entry.path()).await {
                return Some(self.users.add(&entry.path()));
            }
        }
        None
    }
}

/// Whether an environment was finished and its interpreter still exists.
async fn is_complete(target: &Path) -> bool {
    fs::metadata(target.join(MARK)).await.is_ok() && fs::metadata(program(target)).await.is_ok()
}

/// Removes what an interrupted build left, and a damaged environment that is in the way.
async fn clear(folder: &Path, target: &Path) -> io::Result<()> {
    let mut entries = fs::read_dir(folder).await?;
    while let Some(entry) = entries.next_entry().await? {
        if entry.file_name().to_string_lossy().starts_with(ASIDE) || entry.path() == target {
            fs::remove_dir_all(entry.path()).await?;
        }
    }
    Ok(())
}
