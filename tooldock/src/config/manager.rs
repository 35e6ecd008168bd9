//! The settings of `tooldock-manager serve`.

use std::{sync::Arc, time::Duration};

use tooldock_engine::{NamespaceName, secret::SecretValue};
use tooldock_mcp::upstream::Address;

use super::{
    CoreSettings, KeyNeed, MANAGER_SETTINGS, Mistakes, SETTINGS, Sources, foreign, reader::Reader, tokens,
};
use crate::http::{Bearer, Namespaces, Tokens};

/// The settings of `tooldock-manager serve`, checked.
#[derive(Debug)]
#[non_exhaustive]
pub struct ManagerSettings {
    /// Those of the gateway that the manager is itself.
    pub gateway: CoreSettings,
    /// The gateway that it manages.
    pub core: Arc<CoreAddress>,
    /// How much it lets there be.
    pub quotas: Quotas,
    /// Whether packages for looking at other code may be installed.
    pub analysis_packages: bool,
    /// How source code of others is fetched.
    pub repositories: super::RepositorySettings,
}

/// Where the core is, and what opens it.
#[derive(Debug)]
#[non_exhaustive]
pub struct CoreAddress {
    /// Its address, without a slash at the end.
    pub url: String,
    /// The token that clients send to it.
    pub bearer: SecretValue,
    /// The token that managers send to it.
    pub manager: SecretValue,
    /// How long it may say nothing.
    pub patience: Duration,
}

/// How much the manager lets there be; more is refused before anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quotas {
    /// Bytes of one tool file (setting `TOOL_FILE_BYTES`).
    pub file_bytes: usize,
    /// Files of one namespace (setting `NAMESPACE_FILES`).
    pub files: usize,
    /// Namespaces (setting `MAX_NAMESPACES`).
    pub namespaces: usize,
}

impl ManagerSettings {
    /// Reads them.
    ///
    /// # Errors
    /// Every mistake at once.
    pub fn read(sources: &Sources<'_>) -> Result<Self, Mistakes> {
        let mut read = Reader::of(&[MANAGER_SETTINGS, SETTINGS], sources);
        foreign::check(sources.environment, &mut read.mistakes);
        let remedy = "set it (or MANAGER_BEARER_TOKEN_FILE) to a secret that clients of the manager send";
        let token = read.secret("MANAGER_BEARER_TOKEN", Some(remedy));
        let core = core(&mut read);
        if token.as_deref() == Some(core.bearer.expose()) {
            let mistake = "MANAGER_BEARER_TOKEN is the same as BEARER_TOKEN; whoever may call tools could then change them, so choose another";
            read.mistakes.push(mistake.to_owned());
        }
        let door = |read: &mut Reader<'_>, ip| {
            let known = tokens::token(read, "MANAGER_BEARER_TOKEN", "manager", token, ip);
            Bearer::new(Tokens::new(known)).into()
        };
        let mut gateway = CoreSettings::with(&mut read, door, KeyNeed::Required);
        gateway
            .address
            .set_port(read.parse("MANAGER_PORT", "a number from 0 to 65535"));
        // That is where the core listens.
        gateway.socket = None;
        gateway.http.namespaces = Namespaces::or(NamespaceName::system());
        if let Some(audit) = &mut gateway.audit {
            // The core keeps its files in the same volume. Arguments here are whole files, and the manager has no list of values to take out.
            audit.folder.push("manager");
            audit.content_bytes = 0;
        }
        let quotas = Quotas {
            file_bytes: read.count("TOOL_FILE_BYTES", 1024..=4 << 20),
            files: read.count("NAMESPACE_FILES", 1..=2000),
            namespaces: read.count("MAX_NAMESPACES", 1..=1000),
        };
        let analysis_packages = read.either("ALLOW_ANALYSIS_PACKAGES", ["true", "false"]);
        let repositories = super::RepositorySettings::with(&mut read);
        gateway.effective = read.effective;
        gateway.warnings = read.warnings;
        read.mistakes.or(Self {
            gateway,
            core: Arc::new(core),
            quotas,
            analysis_packages,
            repositories,
        })
    }
}

fn core(read: &mut Reader<'_>) -> CoreAddress {
    let mut token = |name: &str, remedy: &str| {
        let token = read.secret(name, Some(remedy)).unwrap_or_default();
        SecretValue::new(token)
    };
    let bearer = token("BEARER_TOKEN", "set it to the token of `tooldock-core`");
    let manager = token(
        "MANAGER_INTERNAL_TOKEN",
        "set it to the same secret here and at `tooldock-core`",
    );
    let url = read.text("CORE_URL");
    if let Err(error) = url.parse::<Address>() {
        read.mistakes.push(format!("CORE_URL: {error}"));
    }
    CoreAddress {
        url: url.trim_end_matches('/').to_owned(),
        bearer,
        manager,
        patience: read.seconds("CORE_TIMEOUT_SECONDS", 1..=3600),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const GOOD: [(&str, &str); 4] = [
        ("BEARER_TOKEN", "core-token-0123456789"),
        ("MANAGER_BEARER_TOKEN", "manager-token-0123456789"),
        ("MANAGER_INTERNAL_TOKEN", "internal-token-0123456789"),
        ("SECRETS_KEY", "a-key-that-is-long-enough"),
    ];

    fn read(changes: &[(&str, &str)]) -> Result<ManagerSettings, Mistakes> {
        let pairs = GOOD.iter().chain(changes);
        let map: BTreeMap<String, String> = pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        ManagerSettings::read(&Sources::environment(&map))
    }

    #[test]
    fn it_listens_on_a_port_of_its_own_and_shows_no_token() {
        let settings = read(&[("PORT", "9000")]).unwrap();
        assert_eq!(settings.gateway.address.port(), 8001);
        assert_eq!(settings.core.url, "http://172.30.0.11:8000");
        let shown = format!("{:?}", settings.core);
        assert!(
            !shown.contains("0123456789") && !shown.contains("long-enough"),
            "{shown}"
        );
        let names: Vec<_> = settings.gateway.effective.iter().map(|one| one.name).collect();
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), names.len(), "{names:?}");
    }

    #[test]
    fn one_report_names_every_mistake_and_no_secret() {
        let wrong = [
            ("MANAGER_BEARER_TOKEN", "core-token-0123456789"),
            ("CORE_URL", "http://me:canary@core:8000"),
            ("MAX_NAMESPACES", "0"),
        ];
        let report = read(&wrong).unwrap_err();
        assert_eq!(report.lines().len(), 3, "{report}");
        let text = report.to_string();
        assert!(
            text.contains("the same as BEARER_TOKEN")
                && !text.contains("canary")
                && !text.contains("0123456789")
        );
    }
}
