//! `health`: whether manager and core are up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, error::Result};

use super::{
    super::Manager,
    tool::{Effect, ManagementTool},
};

pub(super) struct Health;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    manager_version: &'static str,
    manager_uptime: String,
    python_version: String,
    core_reachable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    core_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    core_error: Option<String>,
    namespaces_loaded: usize,
    total_tools: usize,
}

impl ManagementTool for Health {
    const NAME: &'static str = "health";
    const DESCRIPTION: &'static str = "Use it to check whether the manager and the core are up, and how many namespaces and tools are served. When \
        the core is not reachable, `core_error` says why; for single namespaces use `doctor`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, _input: Input) -> Result<Output> {
        let python = manager.host.python_version().await;
        let core = manager.core.state().await;
        let (state, core_error) = match core {
            Ok(state) => (Some(state), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let namespaces = state.as_ref().map(|state| &*state.namespaces).unwrap_or_default();
        Ok(Output {
            manager_version: env!("CARGO_PKG_VERSION"),
            manager_uptime: spell(manager.started.elapsed().as_secs()),
            python_version: python.unwrap_or_else(|error| error.to_string()),
            core_reachable: state.is_some(),
            namespaces_loaded: namespaces.iter().filter(|one| one.state != "failed").count(),
            total_tools: namespaces.iter().map(|one| one.tools).sum(),
            core_version: state.map(|state| state.version),
            core_error,
        })
    }
}

/// `2h 15m`.
fn spell(seconds: u64) -> String {
    let minutes = seconds / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{seconds}s"),
        (0, minutes) => format!("{minutes}m"),
        (hours, minutes) => format!("{hours}h {minutes}m"),
    }
}
