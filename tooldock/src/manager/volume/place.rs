//! The folder of one namespace.

use std::path::{Path, PathBuf};

use tooldock_engine::{NamespaceName, error::Result};
use tooldock_worker::{
    NamespaceFolder,
    disk::{Folder, Kind},
};

use super::super::{
    names::ToolFile,
    refusal::{disk, refuse},
};
use crate::config::Quotas;

/// The folder of one namespace, open.
#[derive(Debug)]
pub(in super::super) struct Place {
    name: NamespaceName,
    dir: PathBuf,
    folder: Folder,
    quotas: Quotas,
}

impl Place {
    pub(super) fn new(name: NamespaceName, dir: PathBuf, folder: Folder, quotas: Quotas) -> Self {
        Self {
            name,
            dir,
            folder,
            quotas,
        }
    }

    /// Where it lies.
    pub(in super::super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// What it asks for, as the core reads it.
    pub(in super::super) fn read(&self) -> NamespaceFolder {
        NamespaceFolder::read(self.name.clone(), self.dir.clone(), &self.folder)
    }

    /// Its tool files, sorted.
    pub(in super::super) fn files(&self) -> Result<Vec<ToolFile>> {
        let files = self
            .entries()?
            .into_iter()
            .filter(|(_, kind)| *kind == Kind::File);
        Ok(files.filter_map(|(name, _)| name.parse().ok()).collect())
    }

    /// Whether it holds a file of this name.
    pub(in super::super) fn has(&self, name: &str) -> Result<bool> {
        Ok(self.entries()?.iter().any(|(found, _)| found == name))
    }

    /// The text of a file; nothing when it is not there.
    pub(in super::super) fn text(&self, name: &str) -> Result<Option<String>> {
        let text = self.folder.text(name, self.quotas.file_bytes as u64);
        text.map_err(|error| disk("read", name, error))
    }

    /// Puts a file in the place of the one of this name, within the quotas. The caller holds the lock of the volume.
    pub(in super::super) fn write(&self, name: &str, text: &str) -> Result<()> {
        let Quotas {
            file_bytes, files, ..
        } = self.quotas;
        if text.len() > file_bytes {
            return Err(refuse(format!(
                "`{name}` would have {} bytes; {file_bytes} are the most a file may have (setting TOOL_FILE_BYTES); split it",
                text.len()
            )));
        }
        let entries = self.entries()?;
        if entries.len() >= files && !entries.iter().any(|(found, _)| found == name) {
            return Err(refuse(format!(
                "the namespace `{}` has {files} files already, the most it may have (setting NAMESPACE_FILES); delete one, or use another namespace",
                self.name
            )));
        }
        self.folder
            .replace(name, text.as_bytes())
            .map_err(|error| disk("write", name, error))
    }

    /// Removes a tool file. The caller holds the lock of the volume.
    pub(in super::super) fn remove(&self, file: &ToolFile) -> Result<()> {
        match self.folder.remove(file.as_str()) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.no_file(file)),
            Err(error) => Err(disk("delete", file, error)),
        }
    }

    /// Gives a tool file another name, which must be free. The caller holds the lock of the volume.
    pub(in super::super) fn rename(&self, file: &ToolFile, to: &ToolFile) -> Result<()> {
        self.folder
            .rename(file.as_str(), to.as_str())
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => self.no_file(file),
                std::io::ErrorKind::AlreadyExists => refuse(format!(
                    "`{}` has a file `{to}` already; delete it first, or choose another name",
                    self.name
                )),
                _ => disk("rename", file, error),
            })
    }

    /// The error for a tool file that is not there.
    pub(in super::super) fn no_file(&self, file: &ToolFile) -> tooldock_engine::EngineError {
        refuse(format!(
            "there is no file `{file}` in `{}`; `list_tools` shows the files there are",
            self.name
        ))
    }

    fn entries(&self) -> Result<Vec<(String, Kind)>> {
        let entries = self.folder.entries();
        let mut entries = entries.map_err(|error| disk("read the namespace", &self.name, error))?;
        entries.retain(|(name, _)| !name.starts_with('.') && name != "__pycache__");
        Ok(entries)
    }
}
