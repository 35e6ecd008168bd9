//! What an operator sets for one namespace.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result, secret::Redactor};

use crate::{disk::check_variable, sandbox::SandboxChanges};

/// Processes that one namespace may have.
const MOST_WORKERS: usize = 64;

/// What an operator sets for one namespace, whatever its folder says.
///
/// ```
/// let mut options = tooldock_worker::NamespaceOptions::default();
/// options.workers = 4;
/// options.environment.insert("BASE_URL".to_owned(), "https://shop.example".to_owned());
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NamespaceOptions {
    /// Processes that serve it, 1 to 64. A call goes to the one with the fewest calls; what a file keeps in its variables, each
    /// process has for itself. Default: 1.
    pub workers: usize,
    /// Its environment. It wins over `env` in `tooldock.yaml`, and secrets win over it.
    pub environment: BTreeMap<String, String>,
    /// Declared secrets that somebody has prepared and nobody has filled in; a tool that needs one says so. Default: none.
    pub waiting: BTreeSet<String>,
    /// What takes secrets out of everything that its processes print. Default: nothing.
    pub redactor: Option<Arc<dyn Redactor>>,
    /// How its workers are confined, where that differs from the others.
    pub sandbox: SandboxChanges,
}

impl Default for NamespaceOptions {
    fn default() -> Self {
        Self {
            workers: 1,
            environment: BTreeMap::new(),
            waiting: BTreeSet::new(),
            redactor: None,
            sandbox: SandboxChanges::default(),
        }
    }
}

impl NamespaceOptions {
    /// Refuses what is out of range.
    pub(super) fn check(&self, namespace: &NamespaceName) -> Result<()> {
        let refuse = |text| Err(EngineError::new(ErrorKind::Dependency, text));
        if !(1..=MOST_WORKERS).contains(&self.workers) {
            return refuse(format!(
                "the setting `workers` of the namespace `{namespace}` is `{}`; choose 1 to {MOST_WORKERS}",
                self.workers
            ));
        }
        for (name, value) in &self.environment {
            if let Err(error) = check_variable(name, value) {
                return refuse(format!(
                    "the setting `environment` of the namespace `{namespace}`: {error}"
                ));
            }
        }
        Ok(())
    }
}
