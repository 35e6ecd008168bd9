//! `delete_namespace`: a namespace with all its files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{Manager, names::Named},
    tool::{Effect, ManagementTool},
};

pub(super) struct DeleteNamespace;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    name: Named<NamespaceName>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    deleted: bool,
    name: String,
}

impl ManagementTool for DeleteNamespace {
    const NAME: &'static str = "delete_namespace";
    const DESCRIPTION: &'static str = "Permanently delete a namespace with all its tool files. Use it only when the user has agreed: it cannot be \
        undone. Its secrets stay (`remove_secret`). Then call `reload_core`, which ends its tools and removes its packages.";
    const EFFECT: Effect = Effect::Destroys;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        manager
            .on_volume(move |volume| {
                let lock = volume.lock()?;
                volume.delete(&input.name, &lock)?;
                Ok(Output {
                    deleted: true,
                    name: input.name.to_string(),
                })
            })
            .await
    }
}
