//! Where one environment is being built.

use std::path::{Path, PathBuf};

/// The file in an environment that tells what was installed.
const LOCK: &str = "requirements.lock";

/// A scratch folder: home of the installer, its input and the result.
#[derive(Debug)]
pub(super) struct Site<'a>(&'a Path);

impl<'a> Site<'a> {
    pub(super) fn at(folder: &'a Path) -> Self {
        Self(folder)
    }

    pub(super) fn folder(&self) -> &'a Path {
        self.0
    }

    /// What is to be installed.
    pub(super) fn wanted(&self) -> PathBuf {
        self.0.join("requirements.in")
    }

    /// The project whose lock is exported.
    pub(super) fn project(&self) -> PathBuf {
        self.0.join("project")
    }

    /// The environment itself.
    pub(super) fn environment(&self) -> PathBuf {
        self.0.join("env")
    }

    /// Its interpreter.
    pub(super) fn python(&self) -> PathBuf {
        self.environment().join("bin/python")
    }

    /// What is installed, with versions and hashes.
    pub(super) fn lock(&self) -> PathBuf {
        self.environment().join(LOCK)
    }
}
