//! `install_from_repo`: the begin of a translation of a repository.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{Manager, intake::Analyzed, names::Named, progress::Steps, repo::RepoAddress},
    tool::{Effect, ManagementTool},
};

pub(super) struct InstallFromRepo;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    repo_url: Named<RepoAddress>,
    /// The namespace that the translated tools will be in.
    namespace: Named<NamespaceName>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    namespace: String,
    #[serde(flatten)]
    analyzed: Analyzed,
}

impl ManagementTool for InstallFromRepo {
    const NAME: &'static str = "install_from_repo";
    const DESCRIPTION: &'static str = "Begin to translate a git repository. Use it when the user names one: gives what `analyze_repo` gives \
        and installs nothing. Then `read_repo_file` for each file with tools, `create_namespace`, `add_requirement`, `generate_tool`, \
        `prepare_secret`, `reload_core`, `test_tool`.";
    const EFFECT: Effect = Effect::Fetches;
    const LIMIT: Duration = Duration::from_secs(3700);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, cx: &CallContext, input: Input) -> Result<Output> {
        Steps::of(cx).tell("Cloning and reading the repository");
        Ok(Output {
            namespace: input.namespace.to_string(),
            analyzed: manager.intake.repository(&input.repo_url).await?,
        })
    }
}
