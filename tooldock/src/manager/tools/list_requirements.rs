//! `list_requirements`: the packages that a namespace asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{Manager, names::Named, requirements::RequirementsFile},
    tool::{Effect, ManagementTool},
};

pub(super) struct ListRequirements;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    namespace: String,
    packages: Vec<String>,
}

impl ManagementTool for ListRequirements {
    const NAME: &'static str = "list_requirements";
    const DESCRIPTION: &'static str = "Show the packages in a namespace's requirements.txt. Use it before changing \
        them; change them with `add_requirement` and \
        `remove_requirement`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        let name = input.namespace.0;
        let namespace = name.to_string();
        let file = manager
            .on_volume(move |volume| RequirementsFile::read(&volume.place(&name)?))
            .await?;
        Ok(Output {
            namespace,
            packages: file.packages()?,
        })
    }
}
