//! `tooldock.yaml`: what a namespace says about itself.

use std::collections::BTreeMap;

use serde::Deserialize;
use tooldock_engine::catalog::About;

use super::{variable::check_variable, yaml, yaml::YamlError};

/// The name of the file.
pub(crate) const FILE: &str = "tooldock.yaml";

/// What may be in the file.
const FORM: &str = "it takes `description`, `version` and `author` (texts), `secrets` (a list of names), `env` (names with texts) \
                    and `tools` (names with `enabled: false`); one on each line, as in `version: '1.2'`";

/// What `tooldock.yaml` says. Every key is optional; there are no others.
///
/// ```
/// use tooldock_worker::disk::Manifest;
/// let manifest: Manifest = "description: Weather of today\nsecrets: [WEATHER_API_KEY]\n".parse()?;
/// assert_eq!(manifest.secrets, ["WEATHER_API_KEY"]);
/// let error = "secrets: []\nmemory_limit: 9G\n".parse::<Manifest>().unwrap_err();
/// assert!(error.to_string().starts_with("line 2: key `memory_limit`: there is no such key"));
/// # Ok::<(), tooldock_worker::disk::YamlError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Manifest {
    /// What the namespace is for.
    pub description: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// Who made it.
    pub author: Option<String>,
    /// Names of the secrets that its tools need.
    #[serde(default)]
    pub secrets: Vec<String>,
    /// Defaults for its environment; nothing secret.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// What it says about single tools, by their names.
    #[serde(default)]
    pub tools: BTreeMap<String, ToolEntry>,
}

/// What `tooldock.yaml` says about one tool.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolEntry {
    /// Whether there is the tool, whatever its file says.
    pub enabled: bool,
}

impl Manifest {
    /// What the catalog says about the namespace.
    #[must_use]
    pub fn about(&self) -> About {
        About {
            description: self.description.clone(),
            version: self.version.clone(),
            author: self.author.clone(),
        }
    }
}

impl std::str::FromStr for Manifest {
    type Err = YamlError;

    fn from_str(text: &str) -> Result<Self, YamlError> {
        if text
            .lines()
            .all(|line| line.trim_start().is_empty() || line.trim_start().starts_with('#'))
        {
            return Ok(Self::default());
        }
        let manifest: Self = yaml::read_yaml(text).map_err(|error| error.wanting(FORM))?;
        let secrets = manifest.secrets.iter().map(|name| (name.as_str(), ""));
        let env = manifest
            .env
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in secrets.chain(env) {
            check_variable(name, value)
                .map_err(|error| YamlError::new(text, line_of(text, name), error.to_string()))?;
        }
        if let Some(name) = manifest
            .secrets
            .iter()
            .find(|name| manifest.env.contains_key(*name))
        {
            let what = format!("`{name}` is a secret and has a value in `env`; remove one of them");
            return Err(YamlError::new(text, line_of(text, name), what));
        }
        Ok(manifest)
    }
}

fn line_of(text: &str, name: &str) -> Option<u64> {
    let index = text.lines().position(|line| line.contains(name))?;
    u64::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a namespace may use and may do stands in the operator's `config.yaml` and nowhere else.
    #[test]
    fn s81_what_confines_a_namespace_cannot_be_named_in_it() {
        for key in [
            "sandbox",
            "mode",
            "memory_mb",
            "processes",
            "filter_system_calls",
            "users",
            "uid",
            "network",
            "read",
            "write",
            "limits",
            "workers",
            "timeout_seconds",
            "max_concurrency",
            "calls_per_minute",
            "cpu_seconds_per_minute",
            "redact",
            "settings",
            "environment",
            "enabled",
        ] {
            for (text, line) in [
                (format!("version: '1'\n{key}: 1\n"), "line 2"),
                (
                    format!("tools:\n  t:\n    enabled: true\n    {key}s: 1\n"),
                    "line 4",
                ),
            ] {
                let error = text.parse::<Manifest>().expect_err(&text).to_string();
                assert!(
                    error.starts_with(line) && error.contains("there is no such key"),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn s74_declared_names_hold_nothing_that_a_shell_acts_on() {
        for odd in [
            "A;id", "A$(id)", "A`id`", "A B", "A'", "A\"", "A\\", "A*", "-A", "A\nB",
        ] {
            for key in ["secrets", "env"] {
                let name = serde_json::Value::from(odd);
                let text = match key {
                    "secrets" => format!("secrets: [{name}]\n"),
                    _ => format!("env: {{{name}: x}}\n"),
                };
                assert!(text.parse::<Manifest>().is_err(), "{text}");
            }
        }
        assert_eq!(
            "secrets: [\"A_B\"]\n".parse::<Manifest>().unwrap().secrets,
            ["A_B"]
        );
    }
}
