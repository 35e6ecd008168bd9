//! The settings of `tooldock-core`.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use ipnet::IpNet;

use super::{
    Effective, LogSettings, Mistakes, Sources, UnixSocket, foreign,
    http::ranges,
    listen::Listen,
    reader::Reader,
    tokens::{Door, token},
};
use crate::{
    audit::AuditSettings,
    http::{Bearer, Cidr, HttpSettings, Tokens},
    layers::{ArgumentRepair, LayerSettings, Rates},
    run::Limits,
};

/// The most threads that may serve requests.
pub(crate) const MAX_THREADS: usize = 1024;

/// The settings of `tooldock-core`, checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CoreSettings {
    /// Where to listen, unless there is a `socket`.
    pub address: SocketAddr,
    /// The socket of this machine to listen at.
    pub socket: Option<UnixSocket>,
    /// The certificate of its own; nothing when it does not speak TLS.
    #[cfg(feature = "tls")]
    pub certificate: Option<crate::run::Certificate>,
    /// Where systemd wants to be told that it serves, if it does.
    pub notify: Option<String>,
    /// Threads that serve requests; 0 for half as many as there are processors.
    pub threads: usize,
    /// The folder with everything that is kept.
    pub data_dir: PathBuf,
    /// The layers in front of the protocols.
    pub http: HttpSettings,
    /// The layers around the engines.
    pub layers: LayerSettings,
    /// The MCP server.
    #[cfg(feature = "mcp")]
    pub mcp: tooldock_mcp::Settings,
    /// Bounds of the server.
    pub limits: Limits,
    /// The secrets store.
    #[cfg(feature = "secrets")]
    pub secrets: super::SecretsSettings,
    /// The list of tokens that is followed while the program runs.
    #[cfg(feature = "worker")]
    pub token_file: Option<super::TokenFile>,
    /// The tokens that may ask for a reload.
    pub manager: Tokens,
    /// Where a reload may be asked from.
    pub reload_from: Cidr,
    /// Whether that is the address of the client that a trusted proxy names.
    pub reload_through_proxies: bool,
    /// How long files must be quiet before they are loaded; nothing when they are not watched.
    pub watch: Option<Duration>,
    /// The interpreter that environments are built from.
    pub python: Option<PathBuf>,
    /// How packages are installed.
    #[cfg(feature = "worker")]
    pub installer: tooldock_worker::InstallerSettings,
    /// What workers may use, and when they are replaced.
    #[cfg(feature = "worker")]
    pub workers: tooldock_worker::WorkerLimits,
    /// How workers are confined.
    #[cfg(feature = "worker")]
    pub sandbox: tooldock_worker::sandbox::SandboxSettings,
    /// The environment of the program, of which workers and installers inherit a few names.
    pub environment: BTreeMap<String, String>,
    /// The audit log; nothing when none is kept.
    pub audit: Option<AuditSettings>,
    /// Where traces and metrics are sent; nothing when they are not.
    #[cfg(feature = "otel")]
    pub otlp: Option<crate::telemetry::OtlpSettings>,
    /// Which log lines are written.
    pub log: LogSettings,
    /// Every setting as it counts, without secrets.
    pub effective: Vec<Effective>,
    /// What is taken all the same, and should be different; for the log.
    pub warnings: Vec<String>,
}

/// What a program needs of the key of the secrets.
#[derive(Debug, Default)]
pub enum KeyNeed {
    /// It has to be set.
    #[default]
    Required,
    /// Without it there are no secrets.
    Optional,
    /// This is the one where none is set.
    #[cfg(feature = "secrets")]
    Given(tooldock_secrets::Key),
}

impl CoreSettings {
    /// Reads the settings of `serve`.
    ///
    /// # Errors
    /// Every mistake at once.
    pub fn read(sources: &Sources<'_>) -> Result<Self, Mistakes> {
        Self::finish(Reader::new(sources), Door::read, KeyNeed::Required, |_| {})
    }

    /// Reads the settings of `dev`: loopback only, the doorkeeper given, quick to notice files.
    ///
    /// # Errors
    /// Every mistake at once.
    pub fn read_dev(
        sources: &Sources<'_>,
        bearer: Bearer,
        manager: Tokens,
        port: u16,
        need: KeyNeed,
    ) -> Result<Self, Mistakes> {
        Self::finish(
            Reader::new(sources),
            |_, _| bearer.into(),
            need,
            |settings| {
                settings.address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
                settings.socket = None;
                #[cfg(feature = "tls")]
                {
                    settings.certificate = None;
                }
                settings.manager = manager;
                settings.reload_from = Cidr::new([IpNet::from(IpAddr::from(Ipv4Addr::LOCALHOST))]);
                settings.watch = settings.watch.map(|_| Duration::from_millis(300));
            },
        )
    }

    /// Reads the settings of `stdio`: there is no door, so nobody needs a token, and nobody else whose calls would have to be told apart.
    ///
    /// # Errors
    /// Every mistake at once.
    pub fn read_stdio(sources: &Sources<'_>) -> Result<Self, Mistakes> {
        Self::finish(
            Reader::new(sources),
            |_, _| Bearer::anonymous().into(),
            KeyNeed::Optional,
            // A gateway that serves the same folder for others may be keeping the files.
            |settings| settings.audit = None,
        )
    }

    fn finish(
        mut read: Reader<'_>,
        door: impl FnOnce(&mut Reader<'_>, IpAddr) -> Door,
        need: KeyNeed,
        change: impl FnOnce(&mut Self),
    ) -> Result<Self, Mistakes> {
        foreign::check(read.sources.environment, &mut read.mistakes);
        let mut settings = Self::with(&mut read, door, need);
        change(&mut settings);
        settings.effective = read.effective;
        settings.warnings = read.warnings;
        read.mistakes.or(settings)
    }

    pub(super) fn with(
        read: &mut Reader<'_>,
        door: impl FnOnce(&mut Reader<'_>, IpAddr) -> Door,
        #[cfg_attr(not(feature = "secrets"), expect(unused_variables))] need: KeyNeed,
    ) -> Self {
        let listen = Listen::read(read);
        let ip = listen.ip();
        let door = door(read, ip);
        let manager = read.secret("MANAGER_INTERNAL_TOKEN", None);
        let http = super::http::read(read, door.bearer);
        #[cfg(feature = "oauth")]
        let http = HttpSettings {
            oauth: door.oauth,
            ..http
        };
        let drain = read.seconds("DRAIN_SECONDS", 0..=3600);
        let timeout = read.seconds("TOOL_CALL_TIMEOUT_SECONDS", 1..=3600);
        Self {
            address: listen.address,
            socket: listen.socket,
            #[cfg(feature = "tls")]
            certificate: listen.certificate,
            notify: read.sources.environment.get("NOTIFY_SOCKET").ok().flatten(),
            threads: read.count("SERVER_THREADS", 0..=MAX_THREADS as u64),
            data_dir: read.text("DATA_DIR").into(),
            http,
            layers: LayerSettings {
                timeout,
                concurrency: read.count("NAMESPACE_MAX_CONCURRENCY", 1..=10_000),
                total: read.count("MAX_CONCURRENCY", 1..=1_000_000),
                rates: Rates {
                    principal: read.rate("PRINCIPAL_CALLS_PER_MINUTE"),
                    namespace: read.rate("NAMESPACE_CALLS_PER_MINUTE"),
                    tool: read.rate("TOOL_CALLS_PER_MINUTE"),
                },
                cpu_seconds: read.rate("NAMESPACE_CPU_SECONDS_PER_MINUTE"),
                repair: if read.either("ARGUMENT_REPAIR", ["on", "off"]) {
                    ArgumentRepair::On
                } else {
                    ArgumentRepair::Off
                },
                ..LayerSettings::default()
            },
            #[cfg(feature = "mcp")]
            mcp: super::mcp::read(read),
            limits: Limits {
                connections: read.count("MAX_CONNECTIONS", 1..=1_000_000),
                header: read.seconds("HEADER_TIMEOUT_SECONDS", 1..=3600),
                idle: read.seconds("IDLE_TIMEOUT_SECONDS", 1..=86_400),
                write: read.seconds("WRITE_TIMEOUT_SECONDS", 1..=3600),
                answer_bytes: read.count("MAX_ANSWERS_BYTES", 1 << 20..=64 << 30),
                drain,
                ..Limits::default()
            },
            #[cfg(feature = "secrets")]
            secrets: super::SecretsSettings::with(read, need),
            #[cfg(feature = "worker")]
            token_file: door.file,
            manager: Tokens::new(token(read, "MANAGER_INTERNAL_TOKEN", "manager", manager, ip)),
            reload_from: Cidr::new(ranges(read, "INTERNAL_ALLOWED_CIDRS")),
            reload_through_proxies: read.either("RELOAD_THROUGH_PROXIES", ["true", "false"]),
            watch: read.watch(),
            python: read.optional("WORKER_PYTHON").map(PathBuf::from),
            #[cfg(feature = "worker")]
            installer: super::packages::read(read),
            #[cfg(feature = "worker")]
            workers: super::workers::read(read, timeout),
            #[cfg(feature = "worker")]
            sandbox: super::sandbox::read(read),
            environment: read.sources.environment.all(),
            effective: Vec::new(),
            warnings: Vec::new(),
            audit: super::audit::read(read),
            #[cfg(feature = "otel")]
            otlp: super::otel::read(read),
            log: LogSettings::with(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<CoreSettings, Mistakes> {
        let map: BTreeMap<String, String> = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        CoreSettings::read(&Sources::environment(&map))
    }

    #[test]
    fn the_defaults_are_those_of_the_table() {
        let settings = read(&[
            ("BEARER_TOKEN", "0123456789abcdef"),
            ("ALLOW_INSECURE_SECRETS", "1"),
        ])
        .unwrap();
        assert_eq!(settings.address.to_string(), "127.0.0.1:8000");
        assert_eq!(
            (settings.watch, settings.layers.timeout),
            (Some(Duration::from_millis(1500)), Duration::from_secs(30))
        );
        #[cfg(feature = "mcp")]
        assert_eq!(settings.mcp, tooldock_mcp::Settings::default());
        #[cfg(feature = "worker")]
        assert_eq!(settings.installer, tooldock_worker::InstallerSettings::default());
    }

    #[cfg(feature = "mcp")]
    #[test]
    fn every_setting_of_the_protocol_counts() {
        let with = |name: &str, value: &str| {
            let given = [
                ("BEARER_TOKEN", "0123456789abcdef"),
                ("ALLOW_INSECURE_SECRETS", "1"),
                (name, value),
            ];
            read(&given).unwrap().mcp
        };
        let of_protocol = |name: &str| {
            name.starts_with("MCP_") || name.starts_with("INPUT_") || name == "ENABLE_LEGACY_MCP"
        };
        for row in super::super::SETTINGS.iter().filter(|row| of_protocol(row.name)) {
            let other = match row.default.parse::<u64>() {
                Ok(number) => (number + 1).to_string(),
                Err(_) if row.default == "true" => "false".to_owned(),
                Err(_) => "2025-11-25".to_owned(),
            };
            assert_eq!(
                with(row.name, row.default),
                tooldock_mcp::Settings::default(),
                "{}",
                row.name
            );
            assert_ne!(
                with(row.name, &other),
                tooldock_mcp::Settings::default(),
                "{}",
                row.name
            );
        }
    }

    #[test]
    fn one_report_names_every_mistake_and_no_secret() {
        let report = read(&[
            ("BIND_ADDRESS", "0.0.0.0"),
            ("BEARER_TOKEN", "short-canary"),
            ("PORT", "eighty"),
            ("MAX_BODY_BYTES", "1"),
            ("INTERNAL_ALLOWED_CIDRS", "10.0.0.0/99"),
            ("ENABLE_FS_WATCHER", "yes"),
            ("DEFAULT_NAMESPACE", "mcp"),
            ("SECRETS_KEY", "brief-canary"),
            ("MANAGER_INTERNAL_TOKEN", "x"),
            ("MANAGER_INTERNAL_TOKEN_FILE", "y"),
        ])
        .unwrap_err();
        let text = report.to_string();
        for name in [
            "BEARER_TOKEN",
            "PORT",
            "MAX_BODY_BYTES",
            "INTERNAL_ALLOWED_CIDRS",
            "ENABLE_FS_WATCHER",
            "DEFAULT_NAMESPACE",
            "SECRETS_KEY",
            "MANAGER_INTERNAL_TOKEN_FILE",
        ] {
            assert!(text.contains(name), "{name} is missing in:\n{text}");
        }
        assert_eq!(report.lines().len(), 8, "{text}");
        assert!(!text.contains("canary"), "{text}");
    }

    #[test]
    fn s17_a_range_that_cannot_be_read_stops_the_start_and_one_of_everything_is_told() {
        for name in ["INTERNAL_ALLOWED_CIDRS", "TRUSTED_PROXIES"] {
            let with = |value: &str| {
                read(&[
                    ("BEARER_TOKEN", "0123456789abcdef"),
                    ("ALLOW_INSECURE_SECRETS", "1"),
                    (name, value),
                ])
            };
            for wrong in ["10.0.0.0/33", "10.0.0.0/", "localhost", "10.0.0"] {
                let report = with(wrong).unwrap_err().to_string();
                assert!(report.contains(name) && report.contains(wrong), "{report}");
            }
            for everything in ["0.0.0.0/0", "10.0.0.0/8,::/0"] {
                let warnings = with(everything).unwrap().warnings;
                assert!(warnings.iter().any(|line| line.contains(name)), "{warnings:?}");
            }
            assert!(with("10.0.0.0/8").unwrap().warnings.is_empty());
        }
    }

    #[test]
    fn s2_a_weak_token_serves_loopback_only_and_with_a_warning() {
        let with = |address: &str, name: &str, value: &str| {
            read(&[
                ("ALLOW_INSECURE_SECRETS", "1"),
                ("BIND_ADDRESS", address),
                ("BEARER_TOKEN", "a-good-token-of-this-test"),
                (name, value),
            ])
        };
        for name in ["BEARER_TOKEN", "MANAGER_INTERNAL_TOKEN"] {
            for value in ["change_me", "change_me_internal", "a-short-canary"] {
                for address in ["127.0.0.1", "::1"] {
                    let warnings = with(address, name, value).unwrap().warnings;
                    assert!(
                        warnings.len() == 1 && warnings[0].starts_with(name),
                        "{warnings:?}"
                    );
                }
                for address in ["0.0.0.0", "10.0.0.1", "::"] {
                    let report = with(address, name, value).unwrap_err().to_string();
                    assert!(report.contains(name) && !report.contains(value), "{report}");
                }
            }
            assert!(with("127.0.0.1", name, "not one word, but several").is_err());
        }
        assert!(
            read(&[])
                .unwrap_err()
                .to_string()
                .contains("BEARER_TOKEN is not set")
        );
    }
}
