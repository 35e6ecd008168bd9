//! `server_config`: the settings as they count.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, error::Result};

use super::{
    super::Manager,
    tool::{Effect, ManagementTool},
};

pub(super) struct ServerConfig;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    manager: BTreeMap<String, String>,
    /// Missing while the core is away.
    #[serde(skip_serializing_if = "Option::is_none")]
    core: Option<BTreeMap<String, String>>,
}

impl ManagementTool for ServerConfig {
    const NAME: &'static str = "server_config";
    const DESCRIPTION: &'static str = "Show the settings of manager and core as they count; of secret ones only whether they are set. Use it \
        when an error names a setting. Only the operator can change them.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, _input: Input) -> Result<Output> {
        let own = &manager.settings.gateway.effective;
        let core = manager.core.settings().await.ok();
        Ok(Output {
            manager: own
                .iter()
                .map(|one| (one.name.to_owned(), one.value.clone()))
                .collect(),
            core: core.map(|settings| settings.into_iter().map(|one| (one.name, one.value)).collect()),
        })
    }
}
