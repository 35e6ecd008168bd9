//! The versions of namespaces that served, kept as files, so that somebody can go back.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};
use tooldock_worker::{
    NamespaceFolder,
    disk::{Folder, FolderVersion},
};

/// Versions of one namespace that are kept, the present one among them.
const KEPT: usize = 3;

/// Where versions are kept: `<root>/<namespace>/<digest>/`, the one that served last with the newest time.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    root: Option<PathBuf>,
}

impl History {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root: Some(root) }
    }

    /// Keeps the files of a namespace that serves, unless they have changed meanwhile. A failure is told to the log only.
    pub(super) async fn keep(&self, folder: &NamespaceFolder) {
        let Some(root) = &self.root else { return };
        let (place, dir, digest) = (
            root.join(folder.name.as_str()),
            folder.dir.clone(),
            folder.digest.clone(),
        );
        let kept = tokio::task::spawn_blocking(move || {
            let version = FolderVersion::read(&Folder::open(&dir)?)?;
            (version.digest == digest)
                .then(|| keep(&place, &version))
                .transpose()
        });
        if let Err(error) = kept.await.map_err(io::Error::other).flatten() {
            tracing::warn!(namespace = %folder.name, %error, "this version cannot be kept, so nobody can go back to it");
        }
    }

    /// Puts the newest other version into the folder of a namespace. What is there now is kept, so that this can be undone.
    pub(super) async fn roll_back(&self, namespace: &NamespaceName, dir: PathBuf) -> Result<()> {
        let Some(root) = &self.root else {
            return Err(EngineError::new(
                ErrorKind::Unsupported,
                "no versions are kept here",
            ));
        };
        let place = root.join(namespace.as_str());
        let done = tokio::task::spawn_blocking(move || {
            let folder = Folder::open(&dir)?;
            let present = FolderVersion::read(&folder)?;
            let other = versions(&place)?
                .into_iter()
                .find(|(_, path)| !path.ends_with(&present.digest));
            let Some((_, other)) = other else { return Ok(false) };
            let other = FolderVersion::read(&Folder::open(&other)?)?;
            keep(&place, &present)?;
            other.put(&folder).map(|()| true)
        });
        match done.await.map_err(io::Error::other).flatten() {
            Ok(true) => Ok(()),
            Ok(false) => Err(none(namespace)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(none(namespace)),
            Err(error) => {
                let text = format!("`{namespace}` cannot be put back: {error}");
                Err(EngineError::new(ErrorKind::Internal, text).with_source(error))
            }
        }
    }
}

fn none(namespace: &NamespaceName) -> EngineError {
    let text =
        format!("no earlier version of `{namespace}` has served here, so there is nothing to go back to");
    EngineError::new(ErrorKind::NamespaceUnknown, text)
}

/// Puts a version beside the others and removes the oldest.
fn keep(place: &Path, version: &FolderVersion) -> io::Result<()> {
    let path = place.join(&version.digest);
    fs::create_dir_all(&path)?;
    version.put(&Folder::open(&path)?)?;
    File::open(&path)?.set_modified(SystemTime::now())?;
    versions(place)?
        .iter()
        .skip(KEPT)
        .try_for_each(|(_, old)| fs::remove_dir_all(old))
}

/// The versions in `place`, the newest first.
fn versions(place: &Path) -> io::Result<Vec<(SystemTime, PathBuf)>> {
    let version = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.metadata()?.modified()?, entry.path()))
    };
    let mut versions = fs::read_dir(place)?
        .map(version)
        .collect::<io::Result<Vec<_>>>()?;
    versions.sort_unstable_by(|one, other| other.cmp(one));
    Ok(versions)
}

#[cfg(test)]
mod tests {
    use tooldock_worker::ToolsFolder;

    use super::*;

    #[tokio::test]
    async fn what_served_before_comes_back_and_can_be_undone() {
        let (tools, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (dir, name) = (
            tools.path().join("demo"),
            "demo".parse::<NamespaceName>().unwrap(),
        );
        fs::create_dir(&dir).unwrap();
        let history = History::new(kept.path().to_owned());
        let scan = || {
            ToolsFolder::subfolders(tools.path())
                .scan()
                .unwrap()
                .namespaces
                .remove(0)
        };
        let text = || fs::read_to_string(dir.join("a.py")).unwrap();
        fs::write(dir.join("a.py"), "1").unwrap();
        history.keep(&scan()).await;
        let refused = history.roll_back(&name, dir.clone()).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::NamespaceUnknown);
        for version in ["2", "3", "4", "5"] {
            fs::write(dir.join("a.py"), version).unwrap();
            history.keep(&scan()).await;
        }
        fs::write(dir.join("a.py"), "never served").unwrap();
        history.roll_back(&name, dir.clone()).await.unwrap();
        assert_eq!(text(), "5");
        history.keep(&scan()).await;
        history.roll_back(&name, dir.clone()).await.unwrap();
        assert_eq!(text(), "never served");
        assert_eq!(fs::read_dir(kept.path().join("demo")).unwrap().count(), KEPT);
    }
}
