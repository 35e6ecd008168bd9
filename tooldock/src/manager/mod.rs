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

mod names;
mod progress;
mod refusal;
pub mod repo;
mod tools;
mod values;
mod volume;

use std::{sync::Arc, time::Instant};

use tooldock_engine::{NamespaceName, StaticEngine, error::Result};
use tooldock_worker::{ToolsFolder, WorkerHost};

pub use self::tools::as_markdown;
use self::{values::KnownSecrets, volume::Volume};
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
    volume: Arc<Volume>,
    secrets: Arc<KnownSecrets>,
    host: WorkerHost,
    started: Instant,
}

impl Manager {
    /// A manager with these settings. Reads and makes nothing yet.
    #[must_use]
    pub fn new(settings: ManagerSettings) -> Self {
        let gateway = &settings.gateway;
        let tools = ToolsFolder::subfolders(gateway.data_dir.join("tools"));
        let store = open_store(&gateway.data_dir, gateway.secrets.keys.clone());
        Self {
            volume: Arc::new(Volume::new(tools, settings.quotas)),
            secrets: Arc::new(KnownSecrets::new(store)),
            host: WorkerHost::new(gateway.worker_host()),
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
}
