//! Virtual environments: built aside, marked complete last, never changed afterwards.
//!
//! An environment's folder is named by everything that decides what is in it, so one that is there is the right one, and one
//! that cannot be built leaves those that are there alone.

mod base;
mod build;
mod fill;
mod growth;
mod installer;
mod interpreter;
mod lock;
mod python;
mod recipe;
mod site;
mod step;
mod tidy;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{fs, sync::Semaphore};
use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};

use self::{base::Base, installer::Installer, interpreter::Interpreter, python::Users, recipe::Recipe};
pub(crate) use self::{python::Python, step::Step};
use crate::{
    disk::{Packages, Requirements},
    host::{HostSettings, Progress},
};

/// What the runtime itself needs beside the standard library.
const RUNTIME_NEEDS: &str = "pydantic>=2.12";
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
    base: Base,
    users: Users,
    removes: bool,
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
            base: Base::new(),
            users: Users::default(),
            removes: settings.removes_environments,
        })
    }

    /// Python of a namespace's own environment.
    pub(crate) async fn own(
        &self,
        namespace: &NamespaceName,
        packages: &Packages,
        progress: &dyn Progress,
    ) -> Result<Python> {
        if self.installer.settings.require_hashes && matches!(packages, Packages::Asked(_)) {
            let text = format!(
                "the packages of `{namespace}` are not pinned, and REQUIRE_HASHES wants that; write its `requirements.lock` with \
                 `uv pip compile --generate-hashes requirements.txt -o requirements.lock`"
            );
            return Err(EngineError::new(ErrorKind::Dependency, text));
        }
        self.ensure(&Recipe::own(namespace, packages), progress).await
    }

    /// Builds an environment that no namespace runs from, and tells where it is.
    pub(crate) async fn aside(&self, packages: &Requirements, progress: &dyn Progress) -> Result<Python> {
        self.ensure(&Recipe::aside(packages), progress).await
    }

    /// Compiles the runtime for our Python, so that no start has to. A failure costs time only.
    pub(crate) async fn compile(&self, script: &Path) {
        let Some(folder) = script.parent() else { return };
        let compiled = folder.join(format!("__pycache__/__main__.{}.pyc", self.interpreter.tag));
        if fs::metadata(&compiled).await.is_err() {
            let step = Step::new(&self.interpreter.program)
                .args(["-I", "-S", "-m", "compileall", "-q"])
                .args([folder]);
            if let Err(error) = step.run(self.time_limit).await {
                tracing::warn!(%error, "the runtime could not be compiled; workers start slower");
            }
        }
    }
}
