//! What a host does without starting a worker: installing ahead, and looking at files.

use std::path::{Path, PathBuf};

use tooldock_engine::error::Result;

use super::{Progress, WorkerHost, check};
use crate::{
    Outline,
    disk::{NamespaceFolder, Requirements},
};

impl WorkerHost {
    /// Builds the environment that a namespace asks for, unless it is there, so that a later [`start`](Self::start), also by another host
    /// on the same data folder, finds it. Tells whether the namespace has one of its own.
    ///
    /// # Errors
    /// [`Dependency`](tooldock_engine::ErrorKind::Dependency) when the folder has a problem or packages cannot be installed. What is there stays.
    ///
    /// # Cancel safety
    /// Dropping the future stops the installation.
    pub async fn install(&self, folder: &NamespaceFolder, progress: &dyn Progress) -> Result<bool> {
        check(folder, "given its packages")?;
        let environments = &self.prepared().await?.environments;
        if folder.packages.is_empty() {
            return Ok(false);
        }
        environments.own(&folder.name, &folder.packages, progress).await?;
        Ok(true)
    }

    /// Builds an environment with these packages that no namespace runs from, for looking at them; gives its folder.
    ///
    /// # Errors
    /// As [`install`](Self::install).
    ///
    /// # Cancel safety
    /// As [`install`](Self::install).
    pub async fn install_aside(&self, packages: &Requirements, progress: &dyn Progress) -> Result<PathBuf> {
        let environments = &self.prepared().await?.environments;
        let python = environments.aside(packages, progress).await?;
        let folder = python.parent().and_then(Path::parent);
        Ok(folder.unwrap_or(&python).to_owned())
    }

    /// Tells what a tool file will offer, and what is wrong with it, from its text alone: nothing of it is imported or run. A bare
    /// interpreter without packages, environment and folder, with little time and memory, does the reading.
    ///
    /// # Errors
    /// [`Dependency`](tooldock_engine::ErrorKind::Dependency) when there is no Python that is new enough. A text that kills the parser is no error but a
    /// problem of the file.
    ///
    /// # Cancel safety
    /// Dropping the future ends the interpreter.
    pub async fn outline(&self, source: &str) -> Result<Outline> {
        let prepared = self.prepared().await?;
        Ok(Outline::read(
            &prepared.environments.interpreter.program,
            &prepared.script,
            source,
        )
        .await)
    }

    /// The version of the Python that everything is built on, such as `3.12.1`.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn python_version(&self) -> Result<String> {
        Ok(self.prepared().await?.environments.interpreter.version())
    }
}
