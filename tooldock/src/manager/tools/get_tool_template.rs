//! `get_tool_template`: a file to begin with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, error::Result};

use super::{
    super::Manager,
    tool::{Effect, ManagementTool},
};

pub(super) struct GetToolTemplate;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    #[serde(default)]
    kind: Template,
}

/// What the file is to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Template {
    #[default]
    Basic,
    HttpApi,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    filename: &'static str,
    code: &'static str,
    packages: Vec<&'static str>,
    /// What belongs into `tooldock.yaml`.
    manifest: &'static str,
}

impl ManagementTool for GetToolTemplate {
    const NAME: &'static str = "get_tool_template";
    const DESCRIPTION: &'static str = "Get a correct tool file to begin with. Use it before the first `write_tool`: `basic`, or `http_api` for one that calls a web API with a \
        secret. Change it, then `add_requirement` for its packages and `write_tool`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    async fn run(_manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        Ok(match input.kind {
            Template::Basic => Output {
                filename: "hello.py",
                code: include_str!("template/basic.py"),
                packages: Vec::new(),
                manifest: "description: Greetings\n",
            },
            Template::HttpApi => Output {
                filename: "issues.py",
                code: include_str!("template/http_api.py"),
                packages: vec!["httpx>=0.28"],
                manifest: "description: GitHub API tools\nsecrets: [GITHUB_TOKEN]\n",
            },
        })
    }
}
