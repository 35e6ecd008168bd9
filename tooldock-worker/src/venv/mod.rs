//! Virtual environments: built aside, marked complete last, never changed afterwards.
//!
//! An environment's folder is named by everything that decides what is in it, so one that is there is the right one, and one
//! that cannot be built leaves those that are there alone.

mod installer;
mod interpreter;
mod lock;
mod step;

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use sha2::{Digest as _, Sha256};
use tokio::{fs, sync::Semaphore, time::Instant};
use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};

pub(crate) use self::interpreter::Interpreter;
use self::{
    installer::{Installer, Site, longest_build},
    lock::FolderLock,
    step::Step,
};
use crate::{
    disk::Requirements,
    hex,
    host::{HostSettings, Progress},
};

/// What the runtime itself needs beside the standard library.
const RUNTIME_NEEDS: &str = "pydantic>=2.12";
/// The owner of the base environment: a name that no namespace can have.
const BASE: &str = "_base";
/// The file that says that an environment is complete.
const MARK: &str = ".ok";
/// The beginning of the name of what is being built.
const ASIDE: &str = ".build-";
/// How long a program may take to tell its version.
const PROBE_LIMIT: Duration = Duration::from_secs(20);

/// All environments below one data folder.
#[derive(Debug)]
pub(crate) struct Environments {
    root: PathBuf,
    pub interpreter: Interpreter,
    installer: Installer,
    time_limit: Duration,
    builds: Semaphore,
}

/// What an environment is to hold, and for whom.
struct Recipe<'a> {
    namespace: Option<&'a NamespaceName>,
    packages: Requirements,
}

impl Environments {
    pub(crate) async fn open(settings: &HostSettings) -> Result<Self> {
        let interpreter = Interpreter::find(settings.python.as_deref(), &settings.environment).await?;
        let cache = settings.data_dir.join("cache");
        let installer =
            Installer::find(&interpreter, &settings.environment, &settings.installer, cache).await;
        Ok(Self {
            root: settings.data_dir.join("venvs"),
            interpreter,
            installer,
            time_limit: settings.installer.time_limit,
            builds: Semaphore::new(settings.installer.builds_at_once),
        })
    }

    /// Python of the base environment: with pydantic, or bare where that cannot be installed.
    pub(crate) async fn base(&self, progress: &dyn Progress) -> Result<PathBuf> {
        let full = Recipe {
            namespace: None,
            packages: [RUNTIME_NEEDS].into_iter().collect(),
        };
        match self.ensure(&full, progress).await {
            Ok(python) => Ok(python),
            Err(error) => {
                progress.say(
                    None,
                    &format!("{error}; until then tools are checked by the simpler built-in validator"),
                );
                let bare = Recipe {
                    namespace: None,
                    packages: Requirements::default(),
                };
                self.ensure(&bare, progress).await
            }
        }
    }

    /// Python of a namespace's own environment.
    pub(crate) async fn own(
        &self,
        namespace: &NamespaceName,
        requirements: &Requirements,
        progress: &dyn Progress,
    ) -> Result<PathBuf> {
        let packages = requirements.iter().chain([RUNTIME_NEEDS]).collect();
        self.ensure(
            &Recipe {
                namespace: Some(namespace),
                packages,
            },
            progress,
        )
        .await
    }

    /// Compiles the runtime for this Python, so that no start has to. A failure costs time only.
    pub(crate) async fn compile(&self, python: &Path, script: &Path) {
        let Some(folder) = script.parent() else { return };
        let compiled = folder.join(format!("__pycache__/__main__.{}.pyc", self.interpreter.tag));
        if fs::metadata(&compiled).await.is_err() {
            let step = Step::new(python)
                .args(["-I", "-S", "-m", "compileall", "-q"])
                .args([folder]);
            if let Err(error) = step.run(self.time_limit).await {
                tracing::warn!(%error, "the runtime could not be compiled; workers start slower");
            }
        }
    }

    fn key(&self, recipe: &Recipe<'_>) -> String {
        let mut hash = Sha256::new();
        for part in [
            &recipe.packages.to_string(),
            &self.interpreter.identity(),
            &self.installer.identity(),
        ] {
            hash.update(format!("{part}\0"));
        }
        hex(&hash.finalize()[..16])
    }

    async fn ensure(&self, recipe: &Recipe<'_>, progress: &dyn Progress) -> Result<PathBuf> {
        let folder = self
            .root
            .join(recipe.namespace.map_or(BASE, NamespaceName::as_str));
        let target = folder.join(self.key(recipe));
        let python = target.join("bin/python");
        if is_complete(&target).await {
            return Ok(python);
        }
        let disk = |error: io::Error| {
            let text = format!(
                "the environment in `{}` cannot be written: {error}",
                folder.display()
            );
            EngineError::new(ErrorKind::Dependency, text)
        };
        let _turn = self
            .builds
            .acquire()
            .await
            .expect("the semaphore is never closed");
        fs::create_dir_all(&folder).await.map_err(disk)?;
        let _lock = FolderLock::take(&folder, longest_build(self.time_limit))
            .await
            .map_err(disk)?;
        if !is_complete(&target).await {
            clear(&folder, &target).await.map_err(disk)?;
            self.build(recipe, &folder, &target, progress).await?;
        }
        Ok(python)
    }

    async fn build(
        &self,
        recipe: &Recipe<'_>,
        folder: &Path,
        target: &Path,
        progress: &dyn Progress,
    ) -> Result<()> {
        let started = Instant::now();
        let failed = |what: String| self.failed(recipe, &what);
        let disk = |error: io::Error| failed(error.to_string());
        let aside = tempfile::Builder::new()
            .prefix(ASIDE)
            .tempdir_in(folder)
            .map_err(disk)?;
        let wanted = aside.path().join("requirements.in");
        let packages = recipe.packages.iter().collect::<Vec<_>>().join(", ");
        if !packages.is_empty() {
            progress.say(
                recipe.namespace,
                &format!("installing {packages} with {}", self.installer.name()),
            );
        }
        fs::write(&wanted, recipe.packages.to_string())
            .await
            .map_err(disk)?;
        let requirements = (!packages.is_empty()).then_some(wanted.as_path());
        let site = Site {
            folder: aside.path(),
            requirements,
        };
        self.installer
            .build(&self.interpreter, &site)
            .await
            .map_err(|error| failed(error.to_string()))?;
        fs::write(site.environment().join(MARK), recipe.packages.to_string())
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

    fn failed(&self, recipe: &Recipe<'_>, what: &str) -> EngineError {
        let text = match recipe.namespace {
            Some(namespace) => format!(
                "the packages of `{namespace}` could not be installed with {}: {what}; correct its `requirements.txt` and reload",
                self.installer.name()
            ),
            None => format!(
                "the base environment could not be built with {}: {what}",
                self.installer.name()
            ),
        };
        EngineError::new(ErrorKind::Dependency, text)
    }
}

/// Whether an environment was finished and its interpreter still exists.
async fn is_complete(target: &Path) -> bool {
    fs::metadata(target.join(MARK)).await.is_ok() && fs::metadata(target.join("bin/python")).await.is_ok()
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
