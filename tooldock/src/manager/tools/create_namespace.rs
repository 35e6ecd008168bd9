//! `create_namespace`: an empty folder for tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{Manager, names::Named},
    tool::{Effect, ManagementTool},
};

pub(super) struct CreateNamespace;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Lower-case letters, digits, `-` and `_`, such as `github`.
    name: Named<NamespaceName>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    created: bool,
    path: String,
}

impl ManagementTool for CreateNamespace {
    const NAME: &'static str = "create_namespace";
    const DESCRIPTION: &'static str = "Create an empty namespace, the folder that tool files are written into. Use it before the first tool of a new group. Then call `write_tool` \
        (`get_tool_template` shows the pattern). Fails if it exists.";
    const EFFECT: Effect = Effect::Adds;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        manager
            .on_volume(move |volume| {
                let lock = volume.lock()?;
                let place = volume.create(&input.name, &lock)?;
                Ok(Output {
                    created: true,
                    path: place.dir().display().to_string(),
                })
            })
            .await
    }
}
