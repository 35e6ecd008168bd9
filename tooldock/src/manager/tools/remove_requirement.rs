//! `remove_requirement`: one package less for a namespace.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{
        Manager,
        names::Named,
        refusal::refuse,
        requirements::{Requirement, RequirementsFile},
    },
    tool::{Effect, ManagementTool},
};

pub(super) struct RemoveRequirement;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
    /// Its name, such as `httpx`.
    package: Named<Requirement>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    removed: bool,
    namespace: String,
    package: String,
}

impl ManagementTool for RemoveRequirement {
    const NAME: &'static str = "remove_requirement";
    const DESCRIPTION: &'static str = "Take a package out of a namespace's requirements.txt, whatever version it names. Use it for what no tool \
        imports any more. Then call \
        `reload_core`, which builds an environment without it.";
    const EFFECT: Effect = Effect::Destroys;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        let (name, package) = (input.namespace.0, input.package.0);
        manager
            .on_volume(move |volume| {
                let _lock = volume.lock()?;
                let place = volume.place(&name)?;
                let mut file = RequirementsFile::read(&place)?;
                let before = file.set(&package, None)?.ok_or_else(|| {
                    refuse(format!(
                        "`{name}` asks for no package `{}`; `list_requirements` shows what it asks for",
                        package.name()
                    ))
                })?;
                file.write(&place)?;
                Ok(Output {
                    removed: true,
                    namespace: name.to_string(),
                    package: before.to_string(),
                })
            })
            .await
    }
}
