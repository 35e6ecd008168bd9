//! Fetches the archive of a package and unpacks it into a snapshot.

use std::path::Path;

use bytes::Bytes;

use super::{
    Package,
    clients::{PackageClients, host_of},
    npm, pypi, tarball, wheel,
};
use crate::{
    manager::repo::{Limits, Snapshot, SnapshotWriter, Source, SourceError, plain_path},
    outbound::Outbound,
};

/// Fetches archives of npm and PyPI.
#[derive(Debug, Clone)]
pub struct Archives {
    client: Outbound,
    clients: PackageClients,
    limits: Limits,
}

/// An archive as it was fetched and checked.
#[derive(Debug)]
pub(super) struct Archive {
    pub(super) version: String,
    pub(super) kind: ArchiveKind,
    pub(super) content: Bytes,
}

/// How an archive is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArchiveKind {
    /// `.tar.gz`, whose files lie in one folder.
    Tarball,
    /// A wheel, which is a zip file.
    Wheel,
}

impl Archives {
    /// Fetches with `client`; hosts that the operator has configured are reached wherever they are.
    #[must_use]
    pub fn new(client: Outbound, clients: PackageClients, limits: Limits) -> Self {
        Self {
            client,
            clients,
            limits,
        }
    }

    /// Fetches a package, and unpacks it as the snapshot in `folder`, an empty one. What it is called from then on comes with it. Packages
    /// `beside` it lie in `node_modules` or `site-packages`; one that cannot be fetched is left out.
    ///
    /// # Errors
    /// There is no such package or version, its digest is wrong, or a limit is reached.
    ///
    /// # Cancel safety
    /// Dropping it ends the request; unpacking that has begun goes on to its end on its own thread.
    pub async fn fetch_into(
        &self,
        package: &Package,
        beside: &[Package],
        folder: &Path,
    ) -> Result<(Source, Snapshot), SourceError> {
        let mut left = usize::try_from(self.limits.total_bytes).unwrap_or(usize::MAX);
        let (kind, archive) = self.fetch(package, left).await?;
        let source = Source::Package {
            kind,
            name: package.identifier.clone(),
            version: archive.version.clone(),
        };
        left = left.saturating_sub(archive.content.len());
        let mut all: Vec<(Option<String>, Archive)> = vec![(None, archive)];
        for one in beside {
            let place = plain_path(one.identifier.as_bytes());
            if let (Some(place), Ok((kind, archive))) = (place, self.fetch(one, left).await) {
                let root = if kind == "npm" {
                    "node_modules"
                } else {
                    "site-packages"
                };
                left = left.saturating_sub(archive.content.len());
                all.push((Some(format!("{root}/{place}")), archive));
            }
        }
        let (folder, limits) = (folder.to_owned(), self.limits);
        let unpacked = tokio::task::spawn_blocking(move || {
            let mut writer = SnapshotWriter::new(&folder, limits)?;
            for (place, archive) in all {
                place.iter().for_each(|place| writer.enter(place));
                match archive.kind {
                    ArchiveKind::Tarball => tarball::unpack(&archive.content, &mut writer)?,
                    ArchiveKind::Wheel => wheel::unpack(&archive.content, &mut writer)?,
                }
            }
            Ok::<_, SourceError>(writer.finish()?)
        });
        let broken = |_| SourceError::Archive("unpacking broke; the log tells more".to_owned());
        Ok((source, unpacked.await.map_err(broken)??))
    }

    /// The archive of a package, checked against its digests.
    async fn fetch(&self, package: &Package, most: usize) -> Result<(&'static str, Archive), SourceError> {
        let (kind, archive) = match package.kind.as_str() {
            "npm" => {
                let base = self.clients.npm().await?;
                (
                    "npm",
                    npm::fetch(&self.for_base(&base), &base, package, most).await?,
                )
            }
            "pypi" => {
                let base = self.clients.pypi().await?;
                (
                    "pypi",
                    pypi::fetch(&self.for_base(&base), &base, package, most).await?,
                )
            }
            other => {
                return Err(SourceError::Archive(format!(
                    "packages of the kind `{other}` are not read; those of npm and PyPI are"
                )));
            }
        };
        if let Some(wanted) = &package.sha256
            && !wanted.eq_ignore_ascii_case(&sha256(&archive.content))
        {
            return Err(SourceError::Archive(
                "the package is not the one that the registry lists: its digest is another".to_owned(),
            ));
        }
        Ok((kind, archive))
    }

    /// The client, for which the host of a configured address is allowed.
    fn for_base(&self, base: &str) -> Outbound {
        self.client.allowing(host_of(base))
    }
}

/// A digest as text.
pub(super) fn sha256(content: &[u8]) -> String {
    use sha2::Digest as _;
    sha2::Sha256::digest(content)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
