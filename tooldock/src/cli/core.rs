//! The core as a program: build, load, serve, drain.

use std::{
    convert::Infallible,
    fs,
    future::pending,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::sync::oneshot;
use tooldock_engine::{EngineError, NamespaceName};
use tooldock_worker::{HostSettings, ToolsFolder, WorkerHost};

use super::Failure;
use crate::{
    Gateway, ManagerGuard,
    config::CoreSettings,
    registry::{
        FolderWatch, Registry, ReloadReport,
        folders::{Folders, Operator},
    },
    run,
};

/// The tool that an empty volume is given, so that there is something to call.
const HELLO: &str = include_str!("hello.py");

/// `tooldock-core serve`.
pub(super) async fn serve(settings: CoreSettings) -> Result<(), Failure> {
    let folder = tools_folder(None, &settings.data_dir)?;
    let core = Core::build(settings, folder, None)?;
    core.serve(async |core| {
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
}

impl Core {
    /// Puts everything together, for all namespaces or for `only` one; starts nothing yet.
    pub(super) fn build(
        settings: CoreSettings,
        folder: ToolsFolder,
        only: Option<&NamespaceName>,
    ) -> Result<Self, Failure> {
        let root = folder.root().to_owned();
        let operator = Operator::new(settings.data_dir.clone(), settings.layers.overrides.clone());
        let folders = Folders::new(folder, WorkerHost::new(host_settings(&settings))).with_operator(operator);
        let folders = match only {
            Some(name) => folders.only(name.clone()),
            None => folders,
        };
        let registry = Registry::new(crate::layers::defaults(&settings.layers), settings.limits.drain);
        let gateway = Gateway::builder()
            .http(settings.http.clone())
            .mcp(settings.mcp.clone())
            .registry(registry.into())
            .source(folders.clone())
            .managed(ManagerGuard::new(
                settings.manager.clone(),
                settings.reload_from.clone(),
            ))
            .settings(settings.effective.clone())
            .build()
            .map_err(|error| Failure::Run(error.to_string()))?;
        Ok(Self {
            gateway,
            settings,
            root,
            folders,
        })
    }

    /// Loads the namespaces, says how that went, and loads again whenever files change; ends only when it fails.
    pub(super) async fn load(&self, loaded: impl AsyncFnOnce(ReloadReport)) -> Result<Infallible, Failure> {
        self.folders.prepare().await.map_err(|error| failure(&error))?;
        // Watched from before the first look on, so that no change falls between the two.
        let _watch = start_watch(&self.root, &self.settings, &self.gateway);
        let report = self.gateway.load().await.map_err(|error| failure(&error))?;
        loaded(report).await;
        pending().await
    }

    /// Listens, loads the namespaces while it already answers, calls `announce`, serves until a signal comes, drains.
    pub(super) async fn serve(self, announce: impl AsyncFnOnce(&Announced)) -> Result<(), Failure> {
        let listener = run::bind(self.settings.address).await?;
        let address = listener.local_addr()?;
        let gateway = self.gateway.clone();
        tracing::info!(%address, "listening");
        let mut signals = run::Signals::catch()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = gateway.serve(listener, self.settings.limits, async {
            stopped.await.unwrap_or_default();
        });
        let signalled = async {
            let signal = signals.next().await;
            tracing::info!(
                signal,
                "ending: calls may go on for DRAIN_SECONDS; a second signal ends at once"
            );
            drop(stop);
            let signal = signals.next().await;
            tracing::warn!(signal, "ending at once");
        };
        let loading = self.load(async |report| {
            announce(&Announced {
                address,
                gateway: gateway.clone(),
                report,
            })
            .await;
        });
        // Loading ends the program only when it fails.
        let result = tokio::select! {
            () = serving => return Ok(()),
            result = loading => result.map(|never| match never {}),
            () = signalled => Ok(()),
        };
        gateway.shutdown(Duration::ZERO).await;
        result
    }
}

/// What can be told once everything is loaded.
pub(super) struct Announced {
    pub(super) address: SocketAddr,
    pub(super) gateway: Gateway,
    pub(super) report: ReloadReport,
}

fn host_settings(settings: &CoreSettings) -> HostSettings {
    let mut host = HostSettings::new(&settings.data_dir);
    host.python.clone_from(&settings.python);
    host.limits.call_time = Some(settings.layers.timeout);
    host.environment = settings.environment.clone().into_iter().collect();
    host
}

fn failure(error: &EngineError) -> Failure {
    Failure::Run(error.to_string())
}

fn start_watch(root: &Path, settings: &CoreSettings, gateway: &Gateway) -> Option<FolderWatch> {
    let (quiet, reloader) = (settings.watch?, gateway.reloader()?.clone());
    FolderWatch::start(root, quiet, reloader)
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
