//! `generate_tool`: `write_tool` under the name that a translation uses.

use std::time::Duration;

use tooldock_engine::{CallContext, error::Result};

use super::{
    super::Manager,
    tool::{Effect, ManagementTool},
    write_tool::{self, WriteTool},
};

pub(super) struct GenerateTool;

impl ManagementTool for GenerateTool {
    const NAME: &'static str = "generate_tool";
    const DESCRIPTION: &'static str = "Write the Python translation of a tool. Use it after `read_repo_file`; the same as `write_tool`, \
        with the same rules. Then `reload_core` and `test_tool`.";
    const EFFECT: Effect = WriteTool::EFFECT;
    const LIMIT: Duration = WriteTool::LIMIT;
    type Input = write_tool::Input;
    type Output = write_tool::Output;

    async fn run(manager: &Manager, cx: &CallContext, input: Self::Input) -> Result<Self::Output> {
        WriteTool::run(manager, cx, input).await
    }

    fn failed(output: &Self::Output) -> bool {
        WriteTool::failed(output)
    }
}
