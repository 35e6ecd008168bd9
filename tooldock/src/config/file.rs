//! `config.yaml` in the data folder: settings, and what the operator says about single namespaces.

use std::{collections::BTreeMap, fs, io, path::Path, time::Duration};

use serde::Deserialize;
use tooldock_engine::{NamespaceName, name::NamePattern};
use tooldock_worker::disk::read_yaml;

use super::{MANAGER_SETTINGS, Mistakes, NamespaceSandbox, SETTINGS};

/// The name of the file.
pub const CONFIG_FILE: &str = "config.yaml";

/// What `config.yaml` says.
///
/// ```
/// use tooldock::config::ConfigFile;
/// let file = ConfigFile::parse("
/// settings: { TOOL_CALL_TIMEOUT_SECONDS: 60 }
/// namespaces:
///   github: { timeout_seconds: 120, max_concurrency: 8, tools: { deny: ['delete_*'] } }
/// ").expect("it is well formed");
/// assert_eq!(file.settings["TOOL_CALL_TIMEOUT_SECONDS"], "60");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigFile {
    /// Settings by their names in the environment; secrets are not among them.
    pub settings: BTreeMap<String, String>,
    /// What the operator says about single namespaces.
    pub namespaces: BTreeMap<NamespaceName, NamespaceConfig>,
}

/// What the operator says about one namespace.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct NamespaceConfig {
    /// Whether it is served at all.
    pub enabled: bool,
    /// How long a tool may take, unless it has a limit of its own: 1 to 3600.
    pub timeout_seconds: Option<u64>,
    /// Calls that run at once: 1 to 10,000.
    pub max_concurrency: Option<usize>,
    /// Calls of its tools in a minute: 1 to 1,000,000, or 0 for no limit.
    pub calls_per_minute: Option<u32>,
    /// Seconds of processor time that its calls may use in a minute: 1 to 1,000,000, or 0 for no limit.
    pub cpu_seconds_per_minute: Option<u32>,
    /// Processes that share the calls: 1 to 64.
    pub workers: usize,
    /// Which tools there are.
    pub tools: ToolPatterns,
    /// Whether known secrets are taken out of what its tools answer and print; `false` for tools whose work it is to hand them out.
    pub redact: bool,
    /// Additions to the environment of its workers. `${NAME}` stands for a secret that the namespace declares.
    pub environment: BTreeMap<String, String>,
    /// How its workers are confined, where that differs from the settings.
    pub sandbox: NamespaceSandbox,
}

impl Default for NamespaceConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            timeout_seconds: None,
            max_concurrency: None,
            calls_per_minute: None,
            cpu_seconds_per_minute: None,
            workers: 1,
            tools: ToolPatterns::default(),
            redact: true,
            environment: BTreeMap::new(),
            sandbox: NamespaceSandbox::default(),
        }
    }
}

impl NamespaceConfig {
    /// How long a tool may take.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout_seconds.map(Duration::from_secs)
    }

    fn check(&self, name: &str, mistakes: &mut Mistakes) {
        let mut within = |key: &str, value: Option<u64>, most: u64| {
            if value.is_some_and(|value| !(1..=most).contains(&value)) {
                mistakes.push(format!(
                    "{CONFIG_FILE}: `{key}` of namespace `{name}` must be 1 to {most}"
                ));
            }
        };
        within("timeout_seconds", self.timeout_seconds, 3600);
        within(
            "max_concurrency",
            self.max_concurrency.map(|count| count as u64),
            10_000,
        );
        within("workers", Some(self.workers as u64), 64);
        let limit = |value: Option<u32>| value.filter(|value| *value > 0).map(u64::from);
        within("calls_per_minute", limit(self.calls_per_minute), 1_000_000);
        within(
            "cpu_seconds_per_minute",
            limit(self.cpu_seconds_per_minute),
            1_000_000,
        );
        self.sandbox.check(name, mistakes);
        for pattern in self.tools.allow.iter().chain(&self.tools.deny) {
            if let Err(error) = pattern.parse::<NamePattern>() {
                mistakes.push(format!("{CONFIG_FILE}: `tools` of namespace `{name}`: {error}"));
            }
        }
    }
}

/// Which tools there are: all, or those that a pattern of `allow` names; never those that a pattern of `deny` names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ToolPatterns {
    /// Patterns with `*` and `?`; none means all.
    pub allow: Vec<String>,
    /// Patterns with `*` and `?`; these win.
    pub deny: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Raw {
    settings: BTreeMap<String, Scalar>,
    namespaces: BTreeMap<String, NamespaceConfig>,
}

/// A value that is written as text, number or truth and read as text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Scalar {
    Truth(bool),
    Number(u64),
    Text(String),
}

impl Scalar {
    fn into_string(self) -> String {
        match self {
            Self::Truth(value) => value.to_string(),
            Self::Number(value) => value.to_string(),
            Self::Text(value) => value,
        }
    }
}

impl ConfigFile {
    /// Reads the file in `data_dir`; one that is not there says nothing.
    ///
    /// # Errors
    /// Every mistake in it, with line and key where they are known.
    pub fn read(data_dir: &Path) -> Result<Self, Mistakes> {
        let path = data_dir.join(CONFIG_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(Mistakes::one(format!(
                "`{}` cannot be read: {error}",
                path.display()
            ))),
        }
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn parse(text: &str) -> Result<Self, Mistakes> {
        let says_something =
            |line: &str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
        if !text.lines().any(says_something) {
            return Ok(Self::default());
        }
        let raw: Raw = read_yaml(text).map_err(|error| Mistakes::one(format!("{CONFIG_FILE}: {error}")))?;
        let mut mistakes = Mistakes::default();
        for name in raw.settings.keys() {
            match SETTINGS.iter().chain(MANAGER_SETTINGS).find(|setting| setting.name == name) {
                Some(setting) if setting.name == "DATA_DIR" => {
                    mistakes.push(format!("{CONFIG_FILE}: `{name}` says where the file is, so it cannot stand in it"));
                }
                Some(setting) if setting.secret => mistakes.push(format!(
                    "{CONFIG_FILE}: `{name}` is a secret and does not belong into the file; set it or {name}_FILE in the environment"
                )),
                Some(_) => {}
                None => mistakes.push(format!("{CONFIG_FILE}: there is no setting `{name}`; docs/settings.md lists them")),
            }
        }
        let mut file = Self::default();
        for (name, namespace) in raw.namespaces {
            namespace.check(&name, &mut mistakes);
            match name.parse() {
                Ok(name) => drop(file.namespaces.insert(name, namespace)),
                Err(error) => mistakes.push(format!("{CONFIG_FILE}: {error}")),
            }
        }
        for (name, value) in raw.settings {
            let value = value.into_string();
            if value.contains("${") {
                mistakes.push(format!("{CONFIG_FILE}: `{name}` has a reference (`${{`), and settings have none; write the value, or set {name} in the environment"));
            }
            file.settings.insert(name, value);
        }
        mistakes.or(file)
    }

    /// What it says about `namespace`.
    #[must_use]
    pub fn namespace(&self, namespace: &NamespaceName) -> NamespaceConfig {
        self.namespaces.get(namespace).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_content_says_nothing() {
        for text in ["", "\n", "# nothing\n"] {
            assert_eq!(ConfigFile::parse(text), Ok(ConfigFile::default()), "{text:?}");
        }
    }

    #[test]
    fn every_mistake_is_named_and_no_value() {
        let text = "settings:\n  PORTS: 1\n  BEARER_TOKEN: canary-canary-canary\nnamespaces:\n  Bad: {}\n  a: { workers: 0, timeout_seconds: 9999 }\n";
        let report = ConfigFile::parse(text).unwrap_err().to_string();
        for word in [
            "`PORTS`",
            "BEARER_TOKEN_FILE",
            "`Bad`",
            "`workers` of namespace `a`",
            "`timeout_seconds` of namespace `a`",
        ] {
            assert!(report.contains(word), "{word} is missing in {report}");
        }
        assert!(!report.contains("canary-canary"), "{report}");
    }

    #[test]
    fn s62_settings_have_no_references() {
        let report = ConfigFile::parse("settings: { WORKER_PYTHON: '${HOME}/bin/python3' }").unwrap_err();
        assert!(
            report.to_string().contains("`WORKER_PYTHON` has a reference"),
            "{report}"
        );
        let kept = "namespaces: { a: { environment: { HEADER: 'Bearer ${KEY}' } } }";
        let file = ConfigFile::parse(kept).unwrap();
        assert_eq!(
            file.namespaces[&"a".parse::<NamespaceName>().unwrap()].environment["HEADER"],
            "Bearer ${KEY}"
        );
    }

    #[test]
    fn s81_an_unknown_key_is_refused_by_line() {
        let report = ConfigFile::parse("namespaces:\n  a:\n    sandbax: off\n")
            .unwrap_err()
            .to_string();
        assert!(
            report.contains("line 3") && report.contains("`sandbax`"),
            "{report}"
        );
    }

    #[test]
    fn numbers_and_truths_are_settings_too() {
        let file =
            ConfigFile::parse("settings: {PORT: 9000, ENABLE_FS_WATCHER: false, LOG_LEVEL: debug}").unwrap();
        let texts: Vec<_> = file.settings.values().map(String::as_str).collect();
        assert_eq!(texts, ["false", "debug", "9000"]);
    }
}
