//! Why something does not work, with the exact fix: for the tool `doctor` and for people at a terminal.

mod core;
mod namespace;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use tooldock_engine::{NamespaceName, error::Result};

use super::Manager;

/// Something that does not work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Finding {
    /// What it is about: `core`, `secrets`, or a namespace.
    pub about: String,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub fix: String,
}

impl Finding {
    fn new(about: impl Into<String>, problem: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            about: about.into(),
            problem: problem.into(),
            fix: fix.into(),
        }
    }
}

impl Manager {
    /// Looks at the core, the secrets, and one namespace or all; gives what does not work. Nothing is changed, and nothing of a namespace
    /// is run.
    ///
    /// # Errors
    /// When the namespace is not there, or the folder of tools cannot be read at all.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn diagnose(self: &Arc<Self>, only: Option<&NamespaceName>) -> Result<Vec<Finding>> {
        diagnose(self, only).await
    }
}

/// As [`Manager::diagnose`].
pub(super) async fn diagnose(manager: &Manager, only: Option<&NamespaceName>) -> Result<Vec<Finding>> {
    let names = match only {
        Some(name) => vec![name.clone()],
        None => manager.on_volume(|volume| volume.names()).await?,
    };
    let (mut findings, state) = core::look(manager).await;
    let secrets = match manager.secrets.read().await {
        Ok(contents) => Some(contents),
        Err(error) => {
            let fix = "tell the operator to run `tooldock-manager secrets doctor`";
            findings.push(Finding::new("secrets", error.to_string(), fix));
            None
        }
    };
    for name in &names {
        findings.extend(namespace::look(manager, name, state.as_ref(), secrets.as_deref()).await?);
    }
    Ok(findings)
}
