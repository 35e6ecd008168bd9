//! `list_secrets`: names and states, never values.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};
use tooldock_secrets::Scope;

use super::{
    super::{Manager, names::Named, values::scope},
    tool::{Effect, ManagementTool},
};

pub(super) struct ListSecrets;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Only what this namespace is given.
    #[serde(default)]
    namespace: Option<Named<NamespaceName>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Line {
    key: String,
    scope: String,
    /// `set`, `placeholder`, or `missing` when a value was lost.
    status: &'static str,
}

impl ManagementTool for ListSecrets {
    const NAME: &'static str = "list_secrets";
    const DESCRIPTION: &'static str = "List the secrets by name, scope and state; values are never shown. Use it to see what \
        exists. What is a `placeholder` waits \
        for the user. To see what one namespace still needs use `check_secrets`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Vec<Line>;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Vec<Line>> {
        let own = scope(input.namespace.as_ref());
        let entries = manager.secrets.read().await?.entries().into_iter();
        let meant = entries
            .filter(|entry| input.namespace.is_none() || entry.scope == Scope::Global || entry.scope == own);
        Ok(meant
            .map(|entry| Line {
                key: entry.name.to_string(),
                scope: entry.scope.to_string(),
                status: entry.status.as_str(),
            })
            .collect())
    }
}
