//! The manager: tools with which a model installs, writes, tests and repairs the namespaces of another gateway.
//!
//! It is a gateway like any other whose one namespace, `_system`, is a [`StaticEngine`]. Each tool is one file of `tools/`; what they
//! share is the [`Manager`].
//!
//! ```no_run
//! use tooldock::{Gateway, config::{ManagerSettings, ProcessEnvironment, Sources}, manager::Manager};
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let settings = ManagerSettings::read(&Sources::environment(&ProcessEnvironment))?;
//! let gateway = Manager::new(settings).gateway()?;
//! # Ok(()) }
//! ```

#[cfg(feature = "analysis")]
pub mod analysis;
mod core;
mod declaration;
mod diagnosis;
#[cfg(feature = "analysis")]
mod intake;
mod names;
mod progress;
mod refusal;
#[cfg(feature = "analysis")]
pub mod registry;
pub mod repo;
mod requirements;
mod tools;
mod values;
mod volume;

use std::{sync::Arc, time::Instant};

use tooldock_engine::{NamespaceName, StaticEngine, error::Result};
use tooldock_worker::{Progress, ToolsFolder, WorkerHost, disk::Packages};

use self::{core::CoreClient, names::ToolFile, values::KnownSecrets, volume::Volume};
pub use self::{diagnosis::Finding, tools::as_markdown};
use crate::{
    BuildError, Gateway,
    config::ManagerSettings,
    layers::{RedactLayer, defaults},
    registry::{Origin, Registry, Started},
    secrets::open_store,
};

/// What all tools of the manager share.
#[derive(Debug)]
pub struct Manager {
    settings: ManagerSettings,
    core: CoreClient,
    volume: Arc<Volume>,
    secrets: Arc<KnownSecrets>,
    host: WorkerHost,
    #[cfg(feature = "analysis")]
    intake: intake::Intake,
    started: Instant,
}

impl Manager {
    /// A manager with these settings. Reads and makes nothing yet.
    #[must_use]
    pub fn new(settings: ManagerSettings) -> Self {
        let gateway = &settings.gateway;
        let tools = ToolsFolder::subfolders(gateway.data_dir.join("tools"));
        let store = open_store(&gateway.data_dir, gateway.secrets.keys.clone());
        let mut host = gateway.worker_host();
        // Whoever runs the workers knows which environments they use.
        host.removes_environments = false;
        Self {
            core: CoreClient::new(&settings.core),
            volume: Arc::new(Volume::new(tools, settings.quotas)),
            secrets: Arc::new(KnownSecrets::new(store)),
            host: WorkerHost::new(host),
            #[cfg(feature = "analysis")]
            intake: intake::Intake::new(&settings),
            started: Instant::now(),
            settings,
        }
    }

    /// The engine of its tools.
    #[must_use]
    pub fn engine(self: &Arc<Self>) -> StaticEngine {
        tools::engine(self)
    }

    /// The gateway that serves them as the namespace `_system`.
    ///
    /// # Errors
    /// As [`GatewayBuilder::build`](crate::GatewayBuilder::build).
    pub fn gateway(self) -> Result<Gateway, BuildError> {
        let manager = Arc::new(self);
        let settings = &manager.settings.gateway;
        let mut layers = settings.layers.clone();
        let known = manager.secrets.clone();
        layers.redact = Some(RedactLayer::new(move |_| Some(known.clone())));
        let registry = Registry::new(defaults(&layers), settings.limits.drain);
        let engine = Arc::new(manager.engine());
        registry.put(&NamespaceName::system(), Started::plain(engine), Origin::Code);
        Gateway::builder()
            .http(settings.http.clone())
            .mcp(settings.mcp.clone())
            .registry(registry.into())
            .settings(settings.effective.clone())
            .build()
    }

    /// Does what blocks on the volume, on a thread of its own.
    async fn on_volume<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Volume) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let volume = self.volume.clone();
        refusal::joined(tokio::task::spawn_blocking(move || work(&volume)).await)
    }

    /// The tool files of a namespace with their texts.
    async fn sources(&self, name: &NamespaceName) -> Result<Vec<(ToolFile, String)>> {
        let name = name.clone();
        self.on_volume(move |volume| {
            let place = volume.place(&name)?;
            let text = |file: ToolFile| Ok((place.text(file.as_str())?.unwrap_or_default(), file));
            let texts: Result<Vec<_>> = place.files()?.into_iter().map(text).collect();
            Ok(texts?.into_iter().map(|(text, file)| (file, text)).collect())
        })
        .await
    }

    /// Builds the environment of a namespace, unless it is there, and tells what it was asked for.
    async fn install(&self, name: &NamespaceName, progress: &dyn Progress) -> Result<Vec<String>> {
        let place = name.clone();
        let folder = self
            .on_volume(move |volume| Ok(volume.place(&place)?.read()))
            .await?;
        self.host.install(&folder, progress).await?;
        Ok(match &folder.packages {
            Packages::Asked(asked) => asked.iter().map(str::to_owned).collect(),
            Packages::Locked(lock) => lock.iter().map(str::to_owned).collect(),
            _ => vec!["those of `uv.lock`".to_owned()],
        })
    }
}
