//! `remove_secret`: name and value.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};
use tooldock_secrets::{SecretName, StoreError};

use super::{
    super::{Manager, names::Named, values::scope},
    tool::{Effect, ManagementTool},
};

pub(super) struct RemoveSecret;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    key: Named<SecretName>,
    /// Whose; the one for all without it.
    #[serde(default)]
    namespace: Option<Named<NamespaceName>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    removed: bool,
    key: String,
    scope: String,
}

impl ManagementTool for RemoveSecret {
    const NAME: &'static str = "remove_secret";
    const DESCRIPTION: &'static str = "Remove a secret, its value included. Use it only when the user has agreed: it cannot be undone. Then call \
        `reload_core`.";
    const EFFECT: Effect = Effect::Destroys;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        let (key, scope) = (input.key.0, scope(input.namespace.as_ref()));
        let output = Output {
            removed: true,
            key: key.to_string(),
            scope: scope.to_string(),
        };
        let unset = move |contents: &mut tooldock_secrets::Contents| match contents.unset(&scope, &key) {
            true => Ok(()),
            false => Err(StoreError::Unknown {
                name: key.to_string(),
                scope: scope.to_string(),
            }),
        };
        manager.secrets.change(|store| store.change(unset)).await?;
        Ok(output)
    }
}
