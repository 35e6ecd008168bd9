//! `doctor`: why something does not work.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{
        Manager,
        diagnosis::{Finding, diagnose},
        names::Named,
    },
    tool::{Effect, ManagementTool},
};

pub(super) struct Doctor;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Only this one; all without it.
    #[serde(default)]
    namespace: Option<Named<NamespaceName>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    healthy: bool,
    findings: Vec<Finding>,
}

impl ManagementTool for Doctor {
    const NAME: &'static str = "doctor";
    const DESCRIPTION: &'static str = "Find out why a namespace, tool, secret or environment does not work: each finding has the exact fix. \
        Use it whenever something is missing or fails, and follow the fixes in their order; then `reload_core`.";
    const EFFECT: Effect = Effect::Reads;
    const LIMIT: Duration = Duration::from_secs(120);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        let findings = diagnose(manager, input.namespace.as_deref()).await?;
        Ok(Output {
            healthy: findings.is_empty(),
            findings,
        })
    }
}
