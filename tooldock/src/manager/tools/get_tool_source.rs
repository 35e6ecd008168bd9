//! `get_tool_source`: the text of a tool file.

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

pub(super) struct GetToolSource;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
    /// Such as `issues.py`.
    filename: Named<ToolFile>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    filename: String,
    source: String,
}

impl ManagementTool for GetToolSource {
    const NAME: &'static str = "get_tool_source";
    const DESCRIPTION: &'static str = "Read the Python source of a tool file. Use it before changing a file; then send the whole new \
        text with `write_tool`. `list_tools` names the files.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        manager
            .on_volume(move |volume| {
                let place = volume.place(&input.namespace)?;
                let source = place.text(input.filename.as_str())?;
                Ok(Output {
                    source: source.ok_or_else(|| place.no_file(&input.filename))?,
                    filename: input.filename.to_string(),
                })
            })
            .await
    }
}
