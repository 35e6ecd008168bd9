//! `check_secrets`: what a namespace still needs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{Manager, names::Named, refusal::refuse},
    tool::{Effect, ManagementTool},
};

pub(super) struct CheckSecrets;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    namespace: String,
    satisfied: Vec<String>,
    missing: Vec<String>,
    placeholders: Vec<String>,
}

impl ManagementTool for CheckSecrets {
    const NAME: &'static str = "check_secrets";
    const DESCRIPTION: &'static str = "Compare the secrets that a namespace declares in its `tooldock.yaml` with those there are. Use it \
        when a namespace is new or a tool misses a secret. For each \
        one in `missing` call `prepare_secret`; for each in `placeholders` let the user run the command that it told; when all are \
        `satisfied`, call `reload_core`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        let name = input.namespace.0;
        let contents = manager.secrets.read().await?;
        let place = name.clone();
        let folder = manager
            .on_volume(move |volume| Ok(volume.place(&place)?.read()))
            .await?;
        if let Some(problem) = folder.problem {
            return Err(refuse(format!(
                "what `{name}` declares cannot be read: {problem}"
            )));
        }
        let check = contents.check(name.as_str(), folder.manifest.secrets.iter().map(String::as_str));
        Ok(Output {
            namespace: name.to_string(),
            satisfied: check.satisfied,
            missing: check.missing,
            placeholders: check.placeholders,
        })
    }
}
