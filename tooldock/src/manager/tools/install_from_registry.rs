//! `install_from_registry`: the begin of a translation of a listed server.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{
        Manager,
        intake::{Analyzed, refused},
        names::Named,
        progress::Steps,
        refusal::refuse,
        registry::{Server, Status},
    },
    tool::{Effect, ManagementTool},
};

pub(super) struct InstallFromRegistry;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The `name` or the `package` of a result of `search_registry`.
    #[schemars(length(min = 1, max = 300))]
    package: String,
    /// The namespace that the translated tools will be in.
    namespace: Named<NamespaceName>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    namespace: String,
    status: Status,
    status_message: Option<String>,
    /// How an operator could run the server as it is, instead of a translation.
    definition: Option<Value>,
    #[serde(flatten)]
    analyzed: Analyzed,
}

impl ManagementTool for InstallFromRegistry {
    const NAME: &'static str = "install_from_registry";
    const DESCRIPTION: &'static str = "Begin to translate a server from the registry. Use it after `search_registry`: fetches source code and gives \
        what `analyze_repo` gives; nothing is installed or run. Then go on as after `install_from_repo`. A server that is better run than \
        translated: show the user `definition`, which only an operator can put into effect.";
    const EFFECT: Effect = Effect::Fetches;
    const LIMIT: Duration = Duration::from_secs(3700);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, cx: &CallContext, input: Input) -> Result<Output> {
        let steps = Steps::of(cx);
        steps.tell("Asking the registry");
        let server = manager
            .intake
            .directory
            .find(&input.package)
            .await
            .map_err(refused)?;
        steps.tell("Fetching and reading the source code");
        Ok(Output {
            namespace: input.namespace.to_string(),
            analyzed: fetch(manager, &server).await?,
            definition: server.definition(),
            status: server.status,
            status_message: server.status_message,
        })
    }
}

/// From its package when that can be read, else from its repository.
async fn fetch(manager: &Manager, server: &Server) -> Result<Analyzed> {
    if let Some(package) = server.readable() {
        return manager.intake.package(package).await;
    }
    match &server.source_url {
        Some(url) => manager.intake.repository(&url.parse().map_err(refused)?).await,
        None => Err(refuse(format!(
            "`{}` has no package of npm or PyPI and no repository, so there is nothing to translate; an operator can run or reach it as: {}",
            server.name,
            server.definition().map_or_else(
                || "nothing is known".to_owned(),
                |definition| definition.to_string()
            )
        ))),
    }
}
