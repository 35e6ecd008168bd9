//! The core as a program: build, load, serve, drain.

use std::{
    fs,
    future::pending,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{net::TcpListener, sync::oneshot};
use tooldock_engine::EngineError;
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
    let root = settings.data_dir.join("tools");
    fill_empty(&root)?;
    let core = Core::build(settings, ToolsFolder::subfolders(&root)).await?;
    core.run(async |core| {
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
    pub(super) address: SocketAddr,
    pub(super) gateway: Gateway,
    settings: CoreSettings,
    root: PathBuf,
    folders: Folders,
    listener: TcpListener,
}

impl Core {
    /// Binds the address and puts everything together; starts no worker and accepts nothing yet.
    pub(super) async fn build(settings: CoreSettings, folder: ToolsFolder) -> Result<Self, Failure> {
        let listener = run::bind(settings.address).await?;
        let address = listener.local_addr()?;
        let root = folder.root().to_owned();
        let operator = Operator::new(settings.data_dir.clone(), settings.layers.overrides.clone());
        let folders = Folders::new(folder, WorkerHost::new(host_settings(&settings))).with_operator(operator);
        let registry = Registry::new(crate::layers::defaults(&settings.layers), settings.limits.drain);
        let gateway = Gateway::builder()
            .http(settings.http.clone())
            .registry(registry.into())
            .source(folders.clone())
            .managed(ManagerGuard {
                tokens: settings.manager.clone(),
                from: settings.reload_from.clone(),
            })
            .settings(settings.effective.clone())
            .build()
            .map_err(|error| Failure::Run(error.to_string()))?;
        Ok(Self {
            address,
            gateway,
            settings,
            root,
            folders,
            listener,
        })
    }

    /// Loads the namespaces while it already answers, calls `announce`, serves until a signal comes, drains.
    pub(super) async fn run(self, announce: impl AsyncFnOnce(&Announced)) -> Result<(), Failure> {
        let Self {
            address,
            gateway,
            settings,
            root,
            folders,
            listener,
        } = self;
        tracing::info!(%address, "listening");
        let mut signals = run::Signals::catch()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = gateway.serve(listener, settings.limits, async {
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
        let loading = async {
            folders.prepare().await.map_err(|error| failure(&error))?;
            // Watched from before the first look on, so that no change falls between the two.
            let _watch = start_watch(&root, &settings, &gateway);
            let report = gateway.load().await.map_err(|error| failure(&error))?;
            announce(&Announced {
                address,
                gateway: gateway.clone(),
                report,
            })
            .await;
            pending::<Result<(), Failure>>().await
        };
        // Loading ends the program only when it fails.
        let result = tokio::select! {
            () = serving => return Ok(()),
            result = loading => result,
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

/// Makes the tools folder, and puts one tool into it if there is none.
pub(super) fn fill_empty(root: &Path) -> Result<(), Failure> {
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
