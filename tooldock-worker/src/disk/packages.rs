//! What a namespace asks of the package index.

use super::{
    requirements::{self, Lock, Requirements},
    tree::Folder,
};

const PROJECT: &str = "pyproject.toml";
const PROJECT_LOCK: &str = "uv.lock";

/// The files that say it, with the bytes they may have.
pub(super) const FILES: [(&str, u64); 4] = [
    (requirements::FILE, requirements::MAX_BYTES),
    (requirements::LOCK_FILE, requirements::MAX_LOCK_BYTES),
    (PROJECT, requirements::MAX_BYTES),
    (PROJECT_LOCK, requirements::MAX_LOCK_BYTES),
];

/// What a namespace asks of the package index. Of several sources the first in this order counts alone: a project, a lock,
/// requirements.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Packages {
    /// `pyproject.toml` with `uv.lock`.
    Project(Project),
    /// `requirements.lock`.
    Locked(Lock),
    /// `requirements.txt` together with the script blocks of the tool files; nothing where both are missing.
    Asked(Requirements),
}

/// A project as uv keeps it; what is in the lock is exported and read strictly before anything is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Project {
    /// The text of `pyproject.toml`.
    pub project: String,
    /// The text of `uv.lock`.
    pub lock: String,
}

impl Default for Packages {
    fn default() -> Self {
        Self::Asked(Requirements::default())
    }
}

impl Packages {
    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Asked(requirements) if requirements.is_empty())
    }

    /// Reads the files of a namespace, whose tool files ask for `inline`.
    pub(super) fn read(folder: &Folder, inline: Requirements) -> Result<Self, String> {
        let [asked, lock, project, project_lock] =
            FILES.map(|(name, limit)| folder.text(name, limit).map_err(|error| error.to_string()));
        if let (Some(project), Some(lock)) = (project?, project_lock?) {
            return Ok(Self::Project(Project { project, lock }));
        }
        if let Some(lock) = lock? {
            let lock = lock
                .parse()
                .map_err(|error| format!("`{}`: {error}", requirements::LOCK_FILE));
            return lock.map(Self::Locked);
        }
        let asked = asked?.unwrap_or_default().parse::<Requirements>();
        let mut asked = asked.map_err(|error| format!("`{}`: {error}", requirements::FILE))?;
        asked.join(inline);
        Ok(Self::Asked(asked))
    }
}
