//! Whether the core is there and of one kind with the manager.

use super::{
    super::{Manager, core::CoreState},
    Finding,
};

/// Looks at the core; gives its state when it tells one.
pub(super) async fn look(manager: &Manager) -> (Vec<Finding>, Option<CoreState>) {
    let state = match manager.core.state().await {
        Ok(state) => state,
        Err(error) => {
            let fix = "start `tooldock-core`, or let the operator correct the setting that the problem names";
            return (vec![Finding::new("core", error.to_string(), fix)], None);
        }
    };
    let mut findings = Vec::new();
    let own = env!("CARGO_PKG_VERSION");
    if state.version != own {
        findings.push(Finding::new(
            "core",
            format!("the core has version {}, the manager {own}", state.version),
            "bring both to one version",
        ));
    }
    (findings, Some(state))
}
