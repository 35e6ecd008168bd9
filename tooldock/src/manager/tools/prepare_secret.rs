//! `prepare_secret`: a name that waits for the value that a person sets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};
use tooldock_secrets::{META_FILE, SecretName};

use super::{
    super::{Manager, names::Named, values::scope},
    tool::{Effect, ManagementTool},
};

pub(super) struct PrepareSecret;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Such as `GITHUB_TOKEN`; never a value.
    key: Named<SecretName>,
    /// Only for this namespace; for all without it.
    #[serde(default)]
    namespace: Option<Named<NamespaceName>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    key: String,
    scope: String,
    meta_file: String,
    /// Tell the user to do this.
    instructions: String,
}

impl ManagementTool for PrepareSecret {
    const NAME: &'static str = "prepare_secret";
    const DESCRIPTION: &'static str = "Create a placeholder for a secret that tools need. Use it for each that `check_secrets` misses. Then show the user the command in \
        `instructions`: only he may type the value, never ask for it in the chat. When he has, call `reload_core`, then \
        `check_secrets`. A value that is set stays.";
    const EFFECT: Effect = Effect::Sets;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        let (key, scope) = (input.key.0, scope(input.namespace.as_ref()));
        let output = Output {
            key: key.to_string(),
            scope: scope.to_string(),
            meta_file: manager
                .settings
                .gateway
                .data_dir
                .join(META_FILE)
                .display()
                .to_string(),
            instructions: format!(
                "Run: docker exec -it tooldock-manager tooldock-manager secrets set {key} --scope {scope} \
                 (without a container: tooldock-manager secrets set {key} --scope {scope})"
            ),
        };
        manager
            .secrets
            .change(move |store| store.prepare(scope, key))
            .await?;
        Ok(output)
    }
}
