//! `add_requirement`: one more package for a namespace.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, EngineError, NamespaceName, error::Result};

use super::{
    super::{
        Manager,
        names::Named,
        progress::Steps,
        requirements::{Requirement, RequirementsFile},
    },
    tool::{Effect, ManagementTool},
};

pub(super) struct AddRequirement;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
    /// Such as `httpx>=0.28`. Of a package that is there, this becomes the version.
    package: Named<Requirement>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    added: bool,
    namespace: String,
    package: String,
}

impl ManagementTool for AddRequirement {
    const NAME: &'static str = "add_requirement";
    const DESCRIPTION: &'static str = "Add a Python package to a namespace's requirements.txt and install it into the namespace's own \
        environment; if that fails, the file stays as it was. Use it for everything a tool imports besides the standard library. Then \
        `write_tool` or `reload_core`.";
    const EFFECT: Effect = Effect::Sets;
    const LIMIT: Duration = Duration::from_secs(1800);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, cx: &CallContext, input: Input) -> Result<Output> {
        let (name, package) = (input.namespace.0, input.package.0);
        let before = change(manager, &name, &package, Some(package.clone())).await?;
        if let Err(error) = manager.install(&name, &Steps::of(cx)).await {
            change(manager, &name, &package, before).await?;
            let text = format!("{error}. `requirements.txt` is as it was");
            return Err(EngineError::new(error.kind(), text).with_source(error));
        }
        Ok(Output {
            added: true,
            namespace: name.to_string(),
            package: package.to_string(),
        })
    }
}

/// Sets what is asked of the package that `of` names, and gives what was asked before.
async fn change(
    manager: &Manager,
    name: &NamespaceName,
    of: &Requirement,
    to: Option<Requirement>,
) -> Result<Option<Requirement>> {
    let (name, of) = (name.clone(), of.clone());
    manager
        .on_volume(move |volume| {
            let _lock = volume.lock()?;
            let place = volume.place(&name)?;
            let mut file = RequirementsFile::read(&place)?;
            let before = file.set(&of, to)?;
            file.write(&place)?;
            Ok(before)
        })
        .await
}
