//! `install_pip_packages`: packages to look at, which nothing runs from.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, error::Result};
use tooldock_worker::Requirements;

use super::{
    super::{Manager, names::Named, progress::Steps, refusal::refuse, requirements::Requirement},
    tool::{Effect, ManagementTool},
};

pub(super) struct InstallPipPackages;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Such as `["fastmcp>=3"]`.
    #[schemars(length(min = 1, max = 50))]
    packages: Vec<Named<Requirement>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    installed: bool,
    packages: Vec<String>,
    folder: String,
}

impl ManagementTool for InstallPipPackages {
    const NAME: &'static str = "install_pip_packages";
    const DESCRIPTION: &'static str = "Install Python packages into a separate environment for analysis, from which neither the servers nor \
        any tool run. Use it to see whether packages and versions exist and fit together. For packages of tools use `add_requirement`.";
    const EFFECT: Effect = Effect::Sets;
    const LIMIT: Duration = Duration::from_secs(1800);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, cx: &CallContext, input: Input) -> Result<Output> {
        if !manager.settings.analysis_packages {
            return Err(refuse(
                "the operator does not want packages for analysis (setting ALLOW_ANALYSIS_PACKAGES); packages of tools go through `add_requirement`",
            ));
        }
        let lines: Vec<String> = input.packages.iter().map(|package| package.to_string()).collect();
        let requirements: Requirements = lines.iter().map(String::as_str).collect();
        let folder = manager.host.install_aside(&requirements, &Steps::of(cx)).await?;
        Ok(Output {
            installed: true,
            packages: lines,
            folder: folder.display().to_string(),
        })
    }
}
