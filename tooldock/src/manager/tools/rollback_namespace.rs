//! `rollback_namespace`: back to the version that served before.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{Manager, core::Wish, names::Named, progress::Steps},
    reload_core,
    tool::{Effect, ManagementTool},
};

pub(super) struct RollbackNamespace;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
}

impl ManagementTool for RollbackNamespace {
    const NAME: &'static str = "rollback_namespace";
    const DESCRIPTION: &'static str = "Put the files of a namespace back to the version that served before the present one, and load it. \
        Use it when a change made things worse. Then \
        `test_tool`. A second call goes forward again.";
    const EFFECT: Effect = Effect::Replaces;
    const LIMIT: Duration = Duration::from_secs(1800);
    type Input = Input;
    type Output = reload_core::Output;

    async fn run(manager: &Manager, cx: &CallContext, input: Input) -> Result<reload_core::Output> {
        let wish = Wish {
            namespace: Some(input.namespace.as_str()),
            rollback: true,
        };
        let report = manager.core.reload(&wish, &Steps::of(cx)).await?;
        Ok(report.into())
    }

    fn failed(output: &reload_core::Output) -> bool {
        !output.is_good()
    }
}
