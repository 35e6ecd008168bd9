//! `analyze_repo`: what the source code of a repository declares.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use tooldock_engine::{CallContext, error::Result};

use super::{
    super::{Manager, intake::Analyzed, names::Named, progress::Steps, repo::RepoAddress},
    tool::{Effect, ManagementTool},
};

pub(super) struct AnalyzeRepo;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Such as `https://git.example.org/owner/server`.
    repo_url: Named<RepoAddress>,
}

impl ManagementTool for AnalyzeRepo {
    const NAME: &'static str = "analyze_repo";
    const DESCRIPTION: &'static str = "Clone a git repository and find the tools that its source code declares, with packages, hosts and \
        secrets they need. Nothing of it is run or installed. Use it first when translating a server to Python; then `read_repo_file` for \
        each file with tools.";
    const EFFECT: Effect = Effect::Fetches;
    const LIMIT: Duration = Duration::from_secs(3700);
    type Input = Input;
    type Output = Analyzed;

    async fn run(manager: &Manager, cx: &CallContext, input: Input) -> Result<Analyzed> {
        Steps::of(cx).tell("Cloning and reading the repository");
        manager.intake.repository(&input.repo_url).await
    }
}
