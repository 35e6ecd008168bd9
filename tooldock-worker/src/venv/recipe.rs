//! What an environment is to hold, and for whom.

use sha2::{Digest as _, Sha256};
use tooldock_engine::{EngineError, ErrorKind, NamespaceName};

use super::{installer::Installer, interpreter::Interpreter};
use crate::{disk::Requirements, hex};

/// The owner of the base environment: a name that no namespace can have.
const BASE: &str = "_base";

/// What an environment is to hold, and for whom.
#[derive(Debug)]
pub(super) struct Recipe<'a> {
    pub namespace: Option<&'a NamespaceName>,
    pub packages: Requirements,
}

impl<'a> Recipe<'a> {
    /// These packages for a namespace, or for the base environment.
    pub(super) fn new<'p>(
        namespace: Option<&'a NamespaceName>,
        packages: impl IntoIterator<Item = &'p str>,
    ) -> Self {
        Self {
            namespace,
            packages: packages.into_iter().collect(),
        }
    }

    /// The folder of its owner.
    pub(super) fn owner(&self) -> &str {
        self.namespace.map_or(BASE, NamespaceName::as_str)
    }

    /// The name of the environment: everything that decides what is in it.
    pub(super) fn key(&self, interpreter: &Interpreter, installer: &Installer) -> String {
        let text = format!("{}\0{}", self.mark(interpreter), installer.identity());
        hex(&Sha256::digest(text)[..16])
    }

    /// What its mark says: enough to know an equal environment that another installer built.
    pub(super) fn mark(&self, interpreter: &Interpreter) -> String {
        format!("{}\n{}", interpreter.identity(), self.packages)
    }

    /// What is to be said when it cannot be built.
    pub(super) fn failed(&self, installer: &str, what: &str) -> EngineError {
        let text = match self.namespace {
            Some(namespace) => format!(
                "the packages of `{namespace}` could not be installed with {installer}: {what}; \
                 correct its `requirements.txt` and reload"
            ),
            None => format!("the base environment could not be built with {installer}: {what}"),
        };
        EngineError::new(ErrorKind::Dependency, text)
    }
}
