//! `test_tool`: one call of a tool, with its traceback when it fails.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tooldock_engine::{CallContext, NamespaceName, ToolName, error::Result};

use super::{
    super::{
        Manager,
        core::{TestError, Tested},
        names::Named,
    },
    tool::{Effect, ManagementTool},
};

/// How long a tool that is tested may take.
const CALL: Duration = Duration::from_secs(600);

pub(super) struct TestTool;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
    tool_name: Named<ToolName>,
    /// Its arguments.
    input: Map<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    success: bool,
    milliseconds: u64,
    #[serde(skip_serializing_if = "Value::is_null")]
    result: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traceback: Option<String>,
}

impl From<Tested> for Output {
    fn from(tested: Tested) -> Self {
        let Tested {
            ok,
            milliseconds,
            content,
            structured,
            error,
        } = tested;
        let result = if structured.is_null() { content } else { structured };
        let (error, traceback) = match error {
            Some(TestError { code, message, cause }) => (
                Some(format!("{code}: {message}")),
                (!cause.is_empty()).then(|| cause.join("\n")),
            ),
            None => (None, None),
        };
        Self {
            success: ok,
            milliseconds,
            result,
            error,
            traceback,
        }
    }
}

impl ManagementTool for TestTool {
    const NAME: &'static str = "test_tool";
    const DESCRIPTION: &'static str = "Call a tool as a client would, with its secrets and packages, and see the result, or the error \
        with traceback. Use it after `reload_core` for every tool that was written; correct the file with `write_tool` until it works. \
        The tool really acts. `get_logs` shows what it printed.";
    const EFFECT: Effect = Effect::Acts;
    const LIMIT: Duration = Duration::from_secs(CALL.as_secs() + 30);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        let Input {
            namespace,
            tool_name,
            input,
        } = input;
        let tested = manager
            .core
            .test(&namespace, &tool_name, &Value::Object(input), CALL)
            .await?;
        Ok(tested.into())
    }

    fn failed(output: &Output) -> bool {
        !output.success
    }
}
