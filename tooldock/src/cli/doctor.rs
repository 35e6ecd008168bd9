//! `doctor`: what does not work, for a person.

use std::sync::Arc;

use clap::Args;
use tooldock_engine::NamespaceName;

use super::{Failure, say};
use crate::{
    config::ManagerSettings,
    manager::{Finding, Manager},
};

#[derive(Debug, Args)]
pub(super) struct DoctorArguments {
    /// Only this namespace.
    namespace: Option<NamespaceName>,
}

/// Says what does not work; fails when something does not.
pub(super) fn run(asked: &DoctorArguments, settings: ManagerSettings) -> Result<(), Failure> {
    let manager = Arc::new(Manager::new(settings));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let findings = runtime.block_on(manager.diagnose(asked.namespace.as_ref()));
    let findings = findings.map_err(|error| Failure::Run(error.to_string()))?;
    if findings.is_empty() {
        say(format_args!("Everything is as it should be."));
        return Ok(());
    }
    let line = |one: &Finding| format!("\n  {}: {}\n    {}", one.about, one.problem, one.fix);
    let lines: String = findings.iter().map(line).collect();
    Err(Failure::Run(format!("this does not work:{lines}")))
}
