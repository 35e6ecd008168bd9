//! The settings of fetching source code of others.

use std::path::PathBuf;

use super::reader::Reader;
use crate::{manager::repo::Limits, outbound::HostPort};

/// How source code of others is fetched, checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RepositorySettings {
    /// Hosts that may be connected to wherever they are.
    pub outbound_hosts: Vec<HostPort>,
    /// Certificates that are trusted besides.
    pub certificates: Option<PathBuf>,
    /// The only hosts to clone from; any when there are none.
    pub clone_hosts: Vec<HostPort>,
    /// What one repository or archive may cost.
    pub limits: Limits,
    /// How many are kept.
    pub kept: usize,
    /// The registry of servers, without a slash at its end.
    pub registry: String,
    /// The registry of npm; nothing to ask the installed client.
    pub npm: Option<String>,
}

impl RepositorySettings {
    pub(super) fn with(read: &mut Reader<'_>) -> Self {
        let limits = Limits {
            time: read.seconds("CLONE_TIMEOUT_SECONDS", 1..=3600),
            total_bytes: read.number("CLONE_MAX_MB", 1..=10_240) << 20,
            entries: read.count("CLONE_MAX_FILES", 1..=1_000_000),
            file_bytes: read.number("CLONE_MAX_FILE_KB", 1..=65_536) << 10,
        };
        let host = "a host such as `git.example.org` or `git.example.org:8443`";
        Self {
            outbound_hosts: read.list("OUTBOUND_ALLOWED_HOSTS", host),
            certificates: read.optional("OUTBOUND_CA_FILE").map(PathBuf::from),
            clone_hosts: read.list("CLONE_ALLOWED_HOSTS", host),
            limits,
            kept: read.count("REPOSITORIES_KEPT", 1..=1000),
            registry: address(read, "MCP_REGISTRY_URL").unwrap_or_default(),
            npm: address(read, "NPM_REGISTRY_URL"),
        }
    }
}

/// An address of HTTPS, without a slash at its end.
fn address(read: &mut Reader<'_>, name: &str) -> Option<String> {
    let address = read.optional(name)?;
    if !address.starts_with("https://") {
        read.mistakes.push(format!(
            "{name} is `{}`; it must start with `https://`",
            address.escape_debug()
        ));
    }
    Some(address.trim_end_matches('/').to_owned())
}
