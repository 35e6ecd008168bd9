//! The core as a program: build, load, serve, drain.

use std::{
    convert::Infallible,
    fs::{self, File},
    future::pending,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::sync::oneshot;
use tooldock_engine::{EngineError, NamespaceName, secret::SecretSource as _};
use tooldock_worker::{ToolsFolder, WorkerHost};

use super::{
    Failure,
    door::{Door, Entrance},
    log, volume,
    witness::Witness,
};
use crate::{
    Gateway, ManagerGuard,
    config::{CoreSettings, TokenFile},
    layers::RedactLayer,
    registry::{
        FolderWatch, Registry, ReloadReport,
        folders::{Folders, Operator},
    },
    run::Address,
    secrets::{StoredSecrets, open_store},
};

/// The tool that an empty volume is given, so that there is something to call.
const HELLO: &str = include_str!("hello.py");

/// `tooldock-core serve`.
pub(super) async fn serve(
    settings: CoreSettings,
    entrance: Entrance,
    volume: Option<File>,
) -> Result<(), Failure> {
    let folder = tools_folder(None, &settings.data_dir)?;
    let volume = volume::take(&settings.data_dir, volume)?;
    let core = Core::build(settings, folder, None)?;
    core.serve(entrance, Some(&volume), async |core| {
        if core.report.ok {
            tracing::info!(address = %core.address, "every namespace is loaded");
        } else {
            tracing::warn!(address = %core.address, error = core.report.error, "not every namespace is loaded");
        }
    })
    .await
}

/// Everything that runs.
pub(super) struct Core {
    pub(super) gateway: Gateway,
    pub(super) settings: CoreSettings,
    root: PathBuf,
    folders: Folders,
    secrets: StoredSecrets,
    pub(super) witness: Witness,
}

impl Core {
    /// Puts everything together, for all namespaces or for `only` one; starts nothing yet.
    pub(super) fn build(
        settings: CoreSettings,
        folder: ToolsFolder,
        only: Option<&NamespaceName>,
    ) -> Result<Self, Failure> {
        log::warn(&settings.warnings);
        let root = folder.root().to_owned();
        let operator = Operator::new(settings.data_dir.clone(), settings.layers.overrides.clone())
            .with_tokens(settings.token_file.clone());
        let secrets = StoredSecrets::new(open_store(
            &settings.secrets.data_dir,
            settings.secrets.keys.clone(),
        ));
        let folders = Folders::new(folder, WorkerHost::new(settings.worker_host()))
            .with_operator(operator)
            .with_secrets(secrets.clone())
            .with_history(settings.data_dir.join("versions"))
            .only_declared_secrets(settings.secrets.only_declared);
        let folders = match only {
            Some(name) => folders.only(name.clone()),
            None => folders,
        };
        let mut layers = settings.layers.clone();
        let known = secrets.clone();
        let redact = RedactLayer::new(move |namespace| known.redactor(namespace));
        let redact = redact.with_overrides(layers.overrides.clone());
        layers.redact = Some(redact.clone());
        let witness = Witness::start(&settings, &redact)?;
        witness.watch(&mut layers);
        let registry = Registry::new(crate::layers::defaults(&layers), settings.limits.drain);
        let gateway = witness
            .show(Gateway::builder())
            .http(witness.guard(settings.http.clone()))
            .mcp(settings.mcp.clone())
            .registry(registry.into())
            .source(folders.clone())
            .managed(ManagerGuard {
                through_proxies: settings.reload_through_proxies,
                ..ManagerGuard::new(settings.manager.clone(), settings.reload_from.clone())
            })
            .settings(settings.effective.clone())
            .build()
            .map_err(|error| Failure::Run(error.to_string()))?;
        Ok(Self {
            gateway,
            settings,
            root,
            folders,
            secrets,
            witness,
        })
    }

    /// Loads the namespaces, says how that went, and loads again whenever files change; ends only when it fails.
    pub(super) async fn load(&self, loaded: impl AsyncFnOnce(ReloadReport)) -> Result<Infallible, Failure> {
        // A store that cannot be opened now ends the program; later the last good values stay.
        self.secrets.refresh().await.map_err(|error| failure(&error))?;
        self.folders.prepare().await.map_err(|error| failure(&error))?;
        // Watched from before the first look on, so that no change falls between the two.
        let _watch = start_watch(&self.root, &self.settings, &self.gateway);
        let report = self.gateway.load().await.map_err(|error| failure(&error))?;
        loaded(report).await;
        pending().await
    }

    /// Listens, loads the namespaces while it already answers, calls `announce`, serves until a signal comes, drains.
    pub(super) async fn serve(
        self,
        entrance: Entrance,
        volume: Option<&File>,
        announce: impl AsyncFnOnce(&Announced),
    ) -> Result<(), Failure> {
        let Self {
            gateway, settings, ..
        } = &self;
        let door = Door::open(gateway, settings, entrance, volume).await?;
        let work = async |address, loaded: oneshot::Sender<bool>| {
            let loading = self.load(async |report| {
                let gateway = gateway.clone();
                loaded.send(report.ok).ok();
                announce(&Announced {
                    address,
                    gateway,
                    report,
                })
                .await;
            });
            tokio::select! {
                result = loading => result,
                never = follow(settings.token_file.as_ref()) => match never {},
                never = warn_of_plain_secrets(settings.secrets.insecure) => match never {},
            }
        };
        let result = door.serve(work).await;
        self.witness.finish().await;
        result
    }
}

/// What can be told once everything is loaded.
pub(super) struct Announced {
    pub(super) address: Address,
    pub(super) gateway: Gateway,
    pub(super) report: ReloadReport,
}

/// Takes up what changes in the list of tokens.
async fn follow(tokens: Option<&TokenFile>) -> Infallible {
    match tokens {
        Some(tokens) => tokens.follow().await,
        None => pending().await,
    }
}

/// Says again and again that values are kept as plain text.
async fn warn_of_plain_secrets(insecure: bool) -> Infallible {
    if !insecure {
        return pending().await;
    }
    let mut hours = tokio::time::interval(Duration::from_secs(3600));
    loop {
        hours.tick().await;
        tracing::warn!("secrets are kept unencrypted (ALLOW_INSECURE_SECRETS); set SECRETS_KEY to seal them");
    }
}

fn failure(error: &EngineError) -> Failure {
    Failure::Run(error.to_string())
}

fn start_watch(root: &Path, settings: &CoreSettings, gateway: &Gateway) -> Option<FolderWatch> {
    let (quiet, reloader) = (settings.watch?, gateway.reloader()?.clone());
    FolderWatch::start(root, &settings.data_dir, quiet, reloader)
        .inspect_err(
            |error| tracing::warn!(%error, "the folder cannot be watched; ask for changes with POST /reload"),
        )
        .ok()
}

/// The folder that somebody works in, or the tools folder of the data folder.
pub(super) fn tools_folder(folder: Option<&Path>, data: &Path) -> Result<ToolsFolder, Failure> {
    let Some(folder) = folder else {
        let root = data.join("tools");
        fill_empty(&root)?;
        return Ok(ToolsFolder::subfolders(&root));
    };
    ToolsFolder::dev(folder)
        .map_err(|error| Failure::Run(format!("cannot serve `{}`: {error}", folder.display())))
}

/// Makes the tools folder, and puts one tool into it if there is none.
fn fill_empty(root: &Path) -> Result<(), Failure> {
    fs::create_dir_all(root)
        .map_err(|error| Failure::Run(format!("cannot make `{}`: {error}", root.display())))?;
    if fs::read_dir(root)?.next().is_none() {
        let file = root.join("shared/hello.py");
        fs::create_dir(root.join("shared"))?;
        fs::write(&file, HELLO)?;
        tracing::info!(file = %file.display(), "there was no tool, so here is a first one");
    }
    Ok(())
}
