//! `install_requirements`: all packages of a namespace.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{Manager, names::Named, progress::Steps},
    tool::{Effect, ManagementTool},
};

pub(super) struct InstallRequirements;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    installed: bool,
    namespace: String,
    packages: Vec<String>,
}

impl ManagementTool for InstallRequirements {
    const NAME: &'static str = "install_requirements";
    const DESCRIPTION: &'static str = "Install everything that a namespace asks for (requirements.txt, requirements.lock, uv.lock, script \
        blocks) into an environment of its own, beside the one in use. `reload_core` does it too. Use it to see progress and errors \
        before. Then call `reload_core`.";
    const EFFECT: Effect = Effect::Sets;
    const LIMIT: Duration = Duration::from_secs(1800);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, cx: &CallContext, input: Input) -> Result<Output> {
        let packages = manager.install(&input.namespace, &Steps::of(cx)).await?;
        Ok(Output {
            installed: true,
            namespace: input.namespace.to_string(),
            packages,
        })
    }
}
