//! `delete_tool`: a tool file with all its tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{
        Manager,
        names::{Named, ToolFile},
    },
    tool::{Effect, ManagementTool},
};

pub(super) struct DeleteTool;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
    /// Such as `issues.py`.
    filename: Named<ToolFile>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    deleted: bool,
    filename: String,
}

impl ManagementTool for DeleteTool {
    const NAME: &'static str = "delete_tool";
    const DESCRIPTION: &'static str = "Permanently delete a tool file with all tools in it. Use it for files that nobody needs; `get_tool_source` shows what is lost. \
        Then call `reload_core`.";
    const EFFECT: Effect = Effect::Destroys;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        manager
            .on_volume(move |volume| {
                let _lock = volume.lock()?;
                volume.place(&input.namespace)?.remove(&input.filename)?;
                Ok(Output {
                    deleted: true,
                    filename: input.filename.to_string(),
                })
            })
            .await
    }
}
