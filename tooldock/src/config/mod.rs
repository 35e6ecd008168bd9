//! Settings: declared once in one table, read in one place, every mistake in one report.

mod audit;
#[cfg(feature = "worker")]
mod confinement;
#[cfg(feature = "cli")]
mod connect;
mod effective;
mod environment;
#[cfg(feature = "worker")]
mod file;
mod foreign;
mod http;
mod listen;
mod log;
#[cfg(feature = "manager")]
mod manager;
#[cfg(feature = "mcp")]
mod mcp;
mod mistakes;
mod oauth;
#[cfg(feature = "otel")]
mod otel;
#[cfg(feature = "worker")]
mod packages;
mod page;
mod reader;
#[cfg(feature = "manager")]
mod repositories;
#[cfg(feature = "worker")]
mod sandbox;
mod secret_file;
#[cfg(feature = "secrets")]
mod secrets;
mod settings;
mod sources;
mod table;
#[cfg(feature = "worker")]
mod token_file;
#[cfg(feature = "worker")]
mod token_list;
mod tokens;
#[cfg(feature = "worker")]
mod workers;

#[cfg(feature = "cli")]
pub use self::connect::ConnectSettings;
#[cfg(feature = "secrets")]
pub use self::secrets::SecretsSettings;
#[cfg(feature = "cli")]
pub(crate) use self::settings::MAX_THREADS;
#[cfg(all(feature = "cli", feature = "manager"))]
pub(crate) use self::token_list::TokenName;
#[cfg(feature = "worker")]
pub use self::{
    confinement::NamespaceSandbox,
    file::{CONFIG_FILE, ConfigFile, NamespaceConfig, ToolPatterns},
    token_file::TokenFile,
};
pub use self::{
    effective::{Effective, as_text},
    environment::{Environment, ProcessEnvironment},
    listen::UnixSocket,
    log::LogSettings,
    mistakes::{EXIT_CONFIG, Mistakes},
    page::as_markdown,
    settings::{CoreSettings, KeyNeed},
    sources::{Source, Sources},
    table::{CONNECT_SETTINGS, MANAGER_SETTINGS, SETTINGS, Setting},
};
#[cfg(feature = "manager")]
pub use self::{
    manager::{CoreAddress, ManagerSettings, Quotas},
    repositories::RepositorySettings,
};
