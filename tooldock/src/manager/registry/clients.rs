//! Where the installed clients of package registries look for packages.

use std::{process::Stdio, time::Duration};

use reqwest::Url;
use tokio::{io::AsyncReadExt as _, process::Command, time::timeout};
use tooldock_worker::ProcessGroup;

use crate::{manager::repo::SourceError, outbound::HostPort};

/// How long a client may take to tell.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes it may say.
const SAID: u64 = 256 << 10;

/// Addresses of package registries, as an operator sets them; what is not set is asked of the installed client.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Bases {
    /// The registry of npm.
    pub npm: Option<String>,
    /// The index of PyPI, up to and with `/simple`.
    pub pypi: Option<String>,
}

/// Knows where packages are fetched from.
#[derive(Debug, Clone)]
pub struct PackageClients {
    bases: Bases,
    /// What the clients are started with: where programs are, and the home folder with their settings.
    environment: Vec<(String, String)>,
}

impl PackageClients {
    /// With what an operator has set, and the environment that clients are asked in.
    #[must_use]
    pub fn new(bases: Bases, environment: Vec<(String, String)>) -> Self {
        Self { bases, environment }
    }

    /// The registry of npm.
    pub(super) async fn npm(&self) -> Result<String, SourceError> {
        let unset =
            || SourceError::Archive("`npm` does not tell its registry; set NPM_REGISTRY_URL".to_owned());
        match &self.bases.npm {
            Some(base) => Ok(base.clone()),
            None => self
                .ask("npm", &["config", "get", "registry"])
                .await
                .and_then(|said| address_in(&said))
                .ok_or_else(unset),
        }
    }

    /// The index of PyPI. `pip` prints the one that counts in its help.
    pub(super) async fn pypi(&self) -> Result<String, SourceError> {
        let unset =
            || SourceError::Archive("`pip` does not tell its index; set PACKAGE_INDEX_URL".to_owned());
        if let Some(base) = &self.bases.pypi {
            return Ok(base.clone());
        }
        let help = self
            .ask("python3", &["-m", "pip", "download", "--help"])
            .await
            .ok_or_else(unset)?;
        let after = help
            .split_once("--index-url <url>")
            .map(|(_, rest)| rest)
            .ok_or_else(unset)?;
        address_in(after).ok_or_else(unset)
    }

    /// What a client prints, or nothing when it is not there or does not end well.
    async fn ask(&self, program: &str, args: &[&str]) -> Option<String> {
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(self.environment.iter().cloned())
            .args(args)
            .current_dir("/");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn().ok()?;
        let _group = ProcessGroup::of(child.id());
        let mut said = String::new();
        let reading = async {
            child
                .stdout
                .take()?
                .take(SAID)
                .read_to_string(&mut said)
                .await
                .ok()?;
            child.wait().await.ok().filter(std::process::ExitStatus::success)
        };
        timeout(PATIENCE, reading).await.ok()??;
        Some(said)
    }
}

/// The first address of HTTPS in a text, without a slash at its end.
fn address_in(text: &str) -> Option<String> {
    let start = text.find("https://")?;
    let rest = &text[start..];
    let end = rest
        .find(|c: char| c.is_whitespace() || c == ')')
        .unwrap_or(rest.len());
    Some(rest[..end].trim_end_matches('/').to_owned())
}

/// The host of an address, which is one that the operator has configured.
pub(super) fn host_of(address: &str) -> Option<HostPort> {
    let url = Url::parse(address).ok()?;
    Some(HostPort::new(url.host_str()?, url.port_or_known_default()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn clients_are_asked_in_a_clean_environment() {
        let folder = tempfile::tempdir().unwrap();
        let script = "#!/bin/sh\n[ -z \"$BEARER_TOKEN\" ] && echo \"  -i, --index-url <url>  Base (default\n      https://packages.example/simple/). More\"\necho https://npm.example/\n";
        for name in ["npm", "python3"] {
            std::fs::write(folder.path().join(name), script).unwrap();
            std::fs::set_permissions(
                folder.path().join(name),
                std::os::unix::fs::PermissionsExt::from_mode(0o755),
            )
            .unwrap();
        }
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let clients = PackageClients::new(Bases::default(), vec![("PATH".to_owned(), path)]);
        assert_eq!(clients.pypi().await.unwrap(), "https://packages.example/simple");
        let none = PackageClients::new(Bases::default(), vec![("PATH".to_owned(), "/nowhere".to_owned())]);
        assert!(
            none.npm()
                .await
                .unwrap_err()
                .to_string()
                .contains("NPM_REGISTRY_URL")
        );
    }
}
