//! Brings source code of others in, keeps it for reading, and has it analyzed.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::Semaphore;
use tooldock_engine::error::Result;

use super::{
    analysis::{Analysis, Bounds, analyze},
    refusal::{joined, refuse},
    registry::{Archives, Bases, Directory, Package, PackageClients},
    repo::{Cloner, ClonerSettings, RepoAddress, Shelf, Snapshot, Source, SourceError},
};
use crate::{
    config::ManagerSettings,
    outbound::{Guard, Outbound, OutboundSettings},
};

/// Repositories and packages that are fetched and analyzed at once; others wait.
const AT_ONCE: usize = 2;

/// Fetches, keeps and analyzes.
#[derive(Debug)]
pub(super) struct Intake {
    shelf: Shelf,
    cloner: Cloner,
    archives: Archives,
    pub(super) directory: Directory,
    places: Semaphore,
}

/// Source code that was analyzed, and what `read_repo_file` knows it by.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Analyzed {
    /// The `repo_url` for `read_repo_file`.
    pub(super) repo_url: String,
    #[serde(flatten)]
    pub(super) analysis: Analysis,
}

impl Intake {
    /// Reads and makes nothing yet.
    pub(super) fn new(settings: &ManagerSettings) -> Self {
        let (repositories, gateway) = (&settings.repositories, &settings.gateway);
        let guard = Guard::new(repositories.outbound_hosts.iter().cloned());
        let listed = |name: &str| {
            gateway
                .environment
                .get(name)
                .map(|value| (name.to_owned(), value.clone()))
        };
        let environment: BTreeMap<String, String> =
            ["PATH", "HOME", "LANG"].into_iter().filter_map(listed).collect();
        let mut cloner = ClonerSettings::new(
            guard.clone(),
            environment.get("PATH").cloned().unwrap_or_default(),
        );
        cloner.hosts.clone_from(&repositories.clone_hosts);
        cloner.certificates.clone_from(&repositories.certificates);
        cloner.limits = repositories.limits;
        let mut outbound = OutboundSettings::new(guard);
        outbound.certificates.clone_from(&repositories.certificates);
        let client = Outbound::new(outbound);
        let mut bases = Bases::default();
        bases.npm.clone_from(&repositories.npm);
        bases.pypi.clone_from(&gateway.installer.index_url);
        let clients = PackageClients::new(bases, environment.into_iter().collect());
        Self {
            shelf: Shelf::new(gateway.data_dir.join("repositories"), repositories.kept),
            cloner: Cloner::new(cloner),
            archives: Archives::new(client.clone(), clients, repositories.limits),
            directory: Directory::new(repositories.registry.clone(), client),
            places: Semaphore::new(AT_ONCE),
        }
    }

    /// Clones and analyzes a repository.
    pub(super) async fn repository(&self, address: &RepoAddress) -> Result<Analyzed> {
        let _place = self.places.acquire().await.expect("it is never closed");
        let desk = self.shelf.desk().map_err(SourceError::from).map_err(refused)?;
        self.cloner
            .clone_into(address, desk.path())
            .await
            .map_err(refused)?;
        let source = Source::Repository(address.clone());
        let snapshot = self.shelf.keep(&source, desk).map_err(refused)?;
        analyzed(&source, snapshot).await
    }

    /// Fetches and analyzes a package.
    pub(super) async fn package(&self, package: &Package) -> Result<Analyzed> {
        let _place = self.places.acquire().await.expect("it is never closed");
        let desk = self.shelf.desk().map_err(SourceError::from).map_err(refused)?;
        let (source, _) = self
            .archives
            .fetch_into(package, desk.path())
            .await
            .map_err(refused)?;
        let snapshot = self.shelf.keep(&source, desk).map_err(refused)?;
        analyzed(&source, snapshot).await
    }

    /// The text of a file of something that was analyzed.
    pub(super) async fn read(&self, source: Source, path: String) -> Result<String> {
        let shelf = self.shelf.clone();
        joined(
            tokio::task::spawn_blocking(move || {
                shelf
                    .find(&source)
                    .and_then(|snapshot| snapshot.read(&path))
                    .map_err(refused)
            })
            .await,
        )
    }
}

async fn analyzed(source: &Source, snapshot: Snapshot) -> Result<Analyzed> {
    let repo_url = source.to_string();
    let analysis =
        joined(tokio::task::spawn_blocking(move || Ok(analyze(&snapshot, Bounds::default()))).await)?;
    Ok(Analyzed { repo_url, analysis })
}

/// What a tool says of it.
#[expect(clippy::needless_pass_by_value, reason = "it is mapped with")]
pub(super) fn refused(error: SourceError) -> tooldock_engine::EngineError {
    refuse(error.to_string())
}
