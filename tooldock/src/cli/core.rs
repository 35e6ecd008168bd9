//! The core as a program: build, load, serve, drain.

use std::{fs, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use tokio::net::TcpListener;
use tooldock_engine::{EngineError, secret::NoSecrets};
use tooldock_worker::{HostSettings, LogProgress, ToolsFolder, WorkerHost};

use super::Failure;
use crate::{
    Gateway, ManagerGuard,
    config::CoreSettings,
    layers,
    registry::{
        FolderWatch, Registry, Reloader,
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
    core.run(|core| tracing::info!(address = %core.address, "serving"))
        .await
}

/// Everything that runs.
pub(super) struct Core {
    pub(super) address: SocketAddr,
    pub(super) gateway: Gateway,
    settings: CoreSettings,
    folder: ToolsFolder,
    host: Arc<WorkerHost>,
    listener: TcpListener,
    reloader: Reloader,
}

impl Core {
    /// Binds the address and puts everything together; starts no worker and accepts nothing yet.
    pub(super) async fn build(settings: CoreSettings, folder: ToolsFolder) -> Result<Self, Failure> {
        let listener = run::bind(settings.address).await?;
        let address = listener.local_addr()?;
        let mut host = HostSettings::new(&settings.data_dir);
        host.python.clone_from(&settings.python);
        host.limits.call_time = Some(settings.layers.timeout);
        host.environment = settings.environment.clone().into_iter().collect();
        let host = Arc::new(WorkerHost::new(host));
        let registry = Arc::new(Registry::new(
            layers::defaults(&settings.layers),
            settings.limits.drain,
        ));
        let operator = Operator::new(settings.data_dir.clone(), settings.layers.overrides.clone());
        let folders = Folders::new(
            folder.clone(),
            host.clone(),
            Arc::new(NoSecrets),
            Arc::new(operator),
            Arc::new(LogProgress),
        );
        let reloader = Reloader::start(registry.clone(), Arc::new(folders));
        let gateway = Gateway::builder()
            .http(settings.http.clone())
            .registry(registry)
            .managed(
                reloader.clone(),
                ManagerGuard {
                    tokens: settings.manager.clone(),
                    from: settings.reload_from.clone(),
                },
            )
            .settings(settings.effective.clone())
            .build()
            .map_err(|error| Failure::Run(error.to_string()))?;
        Ok(Self {
            address,
            gateway,
            settings,
            folder,
            host,
            listener,
            reloader,
        })
    }

    /// Loads the namespaces while it already answers, calls `announce`, serves until a signal comes, drains.
    pub(super) async fn run(self, announce: impl FnOnce(&Announced)) -> Result<(), Failure> {
        let Self {
            address,
            gateway,
            settings,
            folder,
            host,
            listener,
            reloader,
        } = self;
        let stop = async {
            let signal = run::shutdown_signal().await;
            tracing::info!(
                ?signal,
                "ending: no new connections, calls may go on for DRAIN_SECONDS"
            );
            gateway.close();
        };
        let serving = run::serve(listener, gateway.clone().into_service(), settings.limits, stop);
        let loading = async {
            host.prepare(&LogProgress)
                .await
                .map_err(|error| failure(&error))?;
            // Watched from before the first look on, so that no change falls between the two.
            let watch = match settings.watch {
                Some(quiet) => start_watch(&folder, quiet, &reloader),
                None => None,
            };
            reloader.reload().await.map_err(|error| failure(&error))?;
            announce(&Announced {
                address,
                gateway: gateway.clone(),
            });
            Ok::<_, Failure>(watch)
        };
        let loaded = async {
            let watch = loading.await?;
            std::future::pending::<()>().await;
            drop(watch);
            Ok::<(), Failure>(())
        };
        // Loading ends the program only when it fails.
        let result = tokio::select! {
            () = serving => Ok(()),
            result = loaded => result,
        };
        gateway.shutdown(settings.limits.drain).await;
        result
    }
}

/// What can be told once everything is loaded.
pub(super) struct Announced {
    pub(super) address: SocketAddr,
    pub(super) gateway: Gateway,
}

fn failure(error: &EngineError) -> Failure {
    Failure::Run(error.to_string())
}

fn start_watch(folder: &ToolsFolder, quiet: Duration, reloader: &Reloader) -> Option<FolderWatch> {
    FolderWatch::start(folder.root(), quiet, reloader.clone())
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
        fs::create_dir(root.join("shared"))?;
        fs::write(root.join("shared/hello.py"), HELLO)?;
    }
    Ok(())
}
