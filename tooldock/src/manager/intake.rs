//! Brings source code of others in, keeps it for reading, and has it analyzed.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::Semaphore;
use tooldock_engine::error::Result;

use super::{
    analysis::{Analysis, Bounds, analyze, is_library},
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

/// Packages that are fetched beside one that declares no tool.
const BESIDE: usize = 8;

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

    /// Fetches and analyzes a package; where it declares no tool, together with those that it may import them from.
    pub(super) async fn package(&self, package: &Package) -> Result<Analyzed> {
        let _place = self.places.acquire().await.expect("it is never closed");
        let alone = self.with(package, &[]).await?;
        let beside = beside(package, &alone.analysis.dependencies);
        if !alone.analysis.tools_found.is_empty() || beside.is_empty() {
            return Ok(alone);
        }
        Ok(self.with(package, &beside).await.unwrap_or(alone))
    }

    async fn with(&self, package: &Package, beside: &[Package]) -> Result<Analyzed> {
        let desk = self.shelf.desk().map_err(SourceError::from).map_err(refused)?;
        let (source, _) = self
            .archives
            .fetch_into(package, beside, desk.path())
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

/// The packages that a package without tools may import them from: those of its own scope, and those that are called after tools.
fn beside(package: &Package, dependencies: &BTreeMap<String, String>) -> Vec<Package> {
    let scope = package.identifier.split_once('/').map(|(scope, _)| scope);
    let likely = |name: &str| {
        let own = name.split_once('/').map(|(scope, _)| scope);
        !is_library(name) && (name.contains("mcp") || name.contains("tool") || own.is_some() && own == scope)
    };
    let mut names: Vec<(&String, &String)> = dependencies.iter().filter(|(name, _)| likely(name)).collect();
    names.sort_by_key(|(name, _)| !name.contains("tool"));
    let one = |(name, version): (&String, &String)| {
        let version = version.trim_start_matches(['^', '~', '=', ' ']);
        let exact = version
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
        Package {
            kind: package.kind.clone(),
            identifier: name.clone(),
            version: Some(version.to_owned()).filter(|version| exact && version.contains('.')),
            sha256: None,
        }
    };
    names.into_iter().take(BESIDE).map(one).collect()
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
