//! `get_logs`: what the tools of a namespace printed.

use schemars::JsonSchema;
use serde::Deserialize;
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{Manager, core::LogLine, names::Named},
    tool::{Effect, ManagementTool},
};

pub(super) struct GetLogs;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
    /// How many, the newest last.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 1000))]
    lines: usize,
}

fn hundred() -> usize {
    100
}

impl ManagementTool for GetLogs {
    const NAME: &'static str = "get_logs";
    const DESCRIPTION: &'static str = "Read the last lines that the tools of a namespace printed or logged. Use it when `test_tool` alone \
        does not explain a failure; then correct the file with `write_tool`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Vec<LogLine>;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Vec<LogLine>> {
        manager.core.log(&input.namespace, input.lines).await
    }
}
