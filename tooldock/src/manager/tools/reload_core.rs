//! `reload_core`: the core loads what has changed.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, error::Result};

use super::{
    super::{
        Manager,
        core::{Reloaded, Wish},
        progress::Steps,
    },
    tool::{Effect, ManagementTool},
};

pub(super) struct ReloadCore;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {}

/// What a reload came to.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    reloaded: bool,
    namespaces: Vec<String>,
    workers_restarted: Vec<String>,
    deps_synced: Vec<String>,
    /// What does not serve; its last good version goes on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<Failed>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Failed {
    name: String,
    error: String,
}

impl From<Reloaded> for Output {
    fn from(report: Reloaded) -> Self {
        let named = |actions: &[&str]| {
            let chosen = report
                .namespaces
                .iter()
                .filter(|one| actions.contains(&&*one.action) && one.error.is_none());
            chosen.map(|one| one.namespace.clone()).collect()
        };
        let broken = report.namespaces.iter().filter_map(|one| {
            Some(Failed {
                name: one.namespace.clone(),
                error: one.error.clone()?,
            })
        });
        let rejected = report.rejected.iter().map(|one| Failed {
            name: one.name.clone(),
            error: one.reason.clone(),
        });
        let unreadable = report.error.iter().map(|error| Failed {
            name: "core".to_owned(),
            error: error.clone(),
        });
        Self {
            reloaded: report.ok && report.error.is_none(),
            namespaces: named(&["keep", "adjust", "start", "replace"]),
            workers_restarted: named(&["start", "replace"]),
            failed: broken.chain(rejected).chain(unreadable).collect(),
            deps_synced: report.installed,
        }
    }
}

impl Output {
    /// Whether everything serves as it is on disk.
    pub(super) fn is_good(&self) -> bool {
        self.reloaded
    }

    /// Why a namespace does not serve as it is on disk.
    pub(super) fn failure(&self, namespace: &str) -> Option<&str> {
        let failed = self.failed.iter().find(|failed| failed.name == namespace);
        failed.map(|failed| &*failed.error)
    }
}

impl ManagementTool for ReloadCore {
    const NAME: &'static str = "reload_core";
    const DESCRIPTION: &'static str = "Let the core load everything that has changed: namespaces, tools, packages, secrets. No running \
        call is lost, and a version that fails leaves the last good one in place. Use it after every change; then `test_tool`. \
        When something is in `failed`, correct that or call `doctor`.";
    const EFFECT: Effect = Effect::Sets;
    const LIMIT: Duration = Duration::from_secs(1800);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, cx: &CallContext, _input: Input) -> Result<Output> {
        let report = manager.core.reload(&Wish::default(), &Steps::of(cx)).await?;
        Ok(report.into())
    }

    fn failed(output: &Output) -> bool {
        !output.reloaded
    }
}
