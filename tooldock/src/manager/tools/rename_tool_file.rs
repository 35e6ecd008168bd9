//! `rename_tool_file`: another name for a tool file.

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

pub(super) struct RenameToolFile;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
    filename: Named<ToolFile>,
    /// Must be free.
    new_filename: Named<ToolFile>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    renamed: bool,
    filename: String,
}

impl ManagementTool for RenameToolFile {
    const NAME: &'static str = "rename_tool_file";
    const DESCRIPTION: &'static str = "Give a tool file another name. Use it when a name misleads, or hides a package that is imported. Names of tools \
        stay. Then call `reload_core`.";
    const EFFECT: Effect = Effect::Adds;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        manager
            .on_volume(move |volume| {
                let _lock = volume.lock()?;
                let place = volume.place(&input.namespace)?;
                place.rename(&input.filename, &input.new_filename)?;
                Ok(Output {
                    renamed: true,
                    filename: input.new_filename.to_string(),
                })
            })
            .await
    }
}
