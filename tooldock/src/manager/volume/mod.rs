//! The folder of tools as the tools of the manager change it: below descriptors, within quotas, one writer at a time.

mod lock;
mod place;

use std::io;

use tooldock_engine::{NamespaceName, error::Result};
use tooldock_worker::{
    ToolsFolder,
    disk::{Folder, Kind},
};

use self::lock::VolumeLock;
pub(super) use self::place::Place;
use super::refusal::{disk, refuse};
use crate::config::Quotas;

/// The beginning of the name of a namespace that is being removed; no scan looks at such names.
const REMOVED: &str = ".removed-";

/// The folder of tools.
#[derive(Debug)]
pub(super) struct Volume {
    tools: ToolsFolder,
    quotas: Quotas,
}

impl Volume {
    pub(super) fn new(tools: ToolsFolder, quotas: Quotas) -> Self {
        Self { tools, quotas }
    }

    /// Keeps every other manager and every other call from writing while the result lives.
    pub(super) fn lock(&self) -> Result<VolumeLock> {
        self.root()?;
        VolumeLock::take(self.tools.root())
    }

    fn root(&self) -> Result<Folder> {
        let root = self.tools.root();
        std::fs::create_dir_all(root)
            .and_then(|()| Folder::open(root))
            .map_err(|error| disk("open", root.display(), error))
    }

    /// The names of all namespaces, with and without tools, sorted.
    pub(super) fn names(&self) -> Result<Vec<NamespaceName>> {
        let entries = self.root()?.entries();
        let entries = entries.map_err(|error| disk("read", self.tools.root().display(), error))?;
        let folders = entries.into_iter().filter(|(_, kind)| *kind == Kind::Folder);
        Ok(folders.filter_map(|(name, _)| name.parse().ok()).collect())
    }

    /// A namespace that is there.
    pub(super) fn place(&self, name: &NamespaceName) -> Result<Place> {
        let folder = self.root()?.folder(name.as_str()).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => refuse(format!(
                "there is no namespace `{name}`; `list_namespaces` shows those there are, `create_namespace` makes one"
            )),
            _ => disk("open the namespace", name, error),
        })?;
        let dir = self.tools.root().join(name.as_str());
        Ok(Place::new(name.clone(), dir, folder, self.quotas))
    }

    /// Makes an empty namespace. The caller holds the lock.
    pub(super) fn create(&self, name: &NamespaceName, _lock: &VolumeLock) -> Result<Place> {
        let most = self.quotas.namespaces;
        if self.names()?.len() >= most {
            return Err(refuse(format!(
                "there are {most} namespaces already, the most there may be (setting MAX_NAMESPACES); delete one, or have the setting raised"
            )));
        }
        let dir = self.tools.root().join(name.as_str());
        self.root()?
            .make_folder(name.as_str())
            .map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => refuse(format!(
                    "the namespace `{name}` exists already at `{}`; use it, or choose another name",
                    dir.display()
                )),
                _ => disk("make the namespace", name, error),
            })?;
        self.place(name)
    }

    /// Removes a namespace with all that is in it: moved aside in one step, then removed. The caller holds the lock.
    pub(super) fn delete(&self, name: &NamespaceName, _lock: &VolumeLock) -> Result<()> {
        self.place(name)?;
        let root = self.root()?;
        self.sweep(&root)?;
        let aside = format!("{REMOVED}{name}");
        root.rename(name.as_str(), &aside)
            .and_then(|()| root.remove_folder(&aside))
            .map_err(|error| disk("delete the namespace", name, error))
    }

    /// Removes what killed deletions have left.
    fn sweep(&self, root: &Folder) -> Result<()> {
        let entries = root
            .entries()
            .map_err(|error| disk("read", self.tools.root().display(), error))?;
        let left = entries
            .iter()
            .filter(|(name, kind)| *kind == Kind::Folder && name.starts_with(REMOVED));
        left.map(|(name, _)| name).try_for_each(|name| {
            root.remove_folder(name)
                .map_err(|error| disk("remove what is left of", name, error))
        })
    }
}
