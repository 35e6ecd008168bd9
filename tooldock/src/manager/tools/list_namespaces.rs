//! `list_namespaces`: what there is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, error::Result};
use tooldock_secrets::Check;

use super::{
    super::Manager,
    tool::{Effect, ManagementTool},
};

pub(super) struct ListNamespaces;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Line {
    name: String,
    tool_files: usize,
    has_requirements: bool,
    secrets_status: SecretsStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// How the secrets of a namespace stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum SecretsStatus {
    Ok,
    Missing,
    Placeholders,
    NoSecretsNeeded,
}

impl SecretsStatus {
    pub(super) fn of(check: &Check) -> Self {
        match check {
            _ if !check.missing.is_empty() => Self::Missing,
            _ if !check.placeholders.is_empty() => Self::Placeholders,
            _ if check.satisfied.is_empty() => Self::NoSecretsNeeded,
            _ => Self::Ok,
        }
    }
}

impl ManagementTool for ListNamespaces {
    const NAME: &'static str = "list_namespaces";
    const DESCRIPTION: &'static str = "List all namespaces: what is installed, and whether its secrets are set. Use it first. Then \
        `list_tools` shows the tools of one, `doctor` explains what does not work, `create_namespace` begins a new one.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Vec<Line>;

    async fn run(manager: &Manager, _cx: &CallContext, _input: Input) -> Result<Vec<Line>> {
        let secrets = manager.secrets.read().await?;
        manager
            .on_volume(move |volume| {
                let line = |name| {
                    let place = volume.place(&name)?;
                    let folder = place.read();
                    let needs = folder.manifest.secrets.iter().map(String::as_str);
                    Ok(Line {
                        tool_files: place.files()?.len(),
                        has_requirements: place.has("requirements.txt")?,
                        secrets_status: SecretsStatus::of(&secrets.check(name.as_str(), needs)),
                        problem: folder.problem,
                        name: name.to_string(),
                    })
                };
                volume.names()?.into_iter().map(line).collect()
            })
            .await
    }
}
