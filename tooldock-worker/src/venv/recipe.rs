//! What an environment is to hold, and for whom.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use tooldock_engine::{EngineError, ErrorKind, NamespaceName};

use super::{RUNTIME_NEEDS, installer::Installer, interpreter::Interpreter};
use crate::{
    disk::{Packages, Requirements},
    hex,
};

/// The owner of the base environment: a name that no namespace can have.
const BASE: &str = "_base";

/// The owner of environments that nothing runs from: another such name.
const ASIDE: &str = "_aside";

/// What an environment is to hold, and for whom.
#[derive(Debug)]
pub(super) struct Recipe<'a> {
    pub namespace: Option<&'a NamespaceName>,
    pub packages: Packages,
    /// Whose it is where no namespace owns it.
    common: &'static str,
}

impl<'a> Recipe<'a> {
    /// What a namespace asks for. Where versions are still to be found, those of the runtime's own needs are found with them.
    pub(super) fn own(namespace: &'a NamespaceName, packages: &Packages) -> Self {
        let packages = match packages {
            Packages::Asked(asked) => Packages::Asked(asked.iter().chain([RUNTIME_NEEDS]).collect()),
            pinned => pinned.clone(),
        };
        Self {
            namespace: Some(namespace),
            packages,
            common: BASE,
        }
    }

    /// The base environment, with these packages.
    pub(super) fn base(packages: &[&str]) -> Self {
        Self {
            namespace: None,
            packages: Packages::Asked(packages.iter().copied().collect::<Requirements>()),
            common: BASE,
        }
    }

    /// An environment that nothing runs from, with these packages.
    pub(super) fn aside(packages: &Requirements) -> Self {
        Self {
            namespace: None,
            packages: Packages::Asked(packages.clone()),
            common: ASIDE,
        }
    }

    /// The folder of its owner.
    pub(super) fn owner(&self) -> &str {
        self.namespace.map_or(self.common, NamespaceName::as_str)
    }

    /// The name of the environment: everything that decides what is in it.
    pub(super) fn key(&self, interpreter: &Interpreter, installer: &Installer) -> String {
        let text = format!("{}\0{}", self.mark(interpreter), installer.identity());
        hex(&Sha256::digest(text)[..16])
    }

    /// What its mark says: enough to know an equal environment that another installer built.
    pub(super) fn mark(&self, interpreter: &Interpreter) -> String {
        let mut mark = interpreter.identity();
        let done = match &self.packages {
            Packages::Asked(asked) => write!(mark, "\n{asked}"),
            Packages::Locked(lock) => write!(mark, "\nlocked\n{lock}"),
            Packages::Project(project) => write!(mark, "\nproject\n{}\0{}", project.project, project.lock),
        };
        done.expect("a String takes every text");
        mark
    }

    /// What is installed, for people.
    pub(super) fn told(&self) -> String {
        match &self.packages {
            Packages::Asked(asked) => asked.iter().collect::<Vec<_>>().join(", "),
            Packages::Locked(lock) => format!("the {} packages of `requirements.lock`", lock.iter().count()),
            Packages::Project(_) => "the packages of `uv.lock`".to_owned(),
        }
    }

    /// What is to be said when it cannot be built.
    pub(super) fn failed(&self, installer: &str, what: &str) -> EngineError {
        let file = match &self.packages {
            Packages::Asked(_) => "`requirements.txt`",
            Packages::Locked(_) => "`requirements.lock`",
            Packages::Project(_) => "`uv.lock`",
        };
        let text = match self.namespace {
            Some(namespace) => format!(
                "the packages of `{namespace}` could not be installed with {installer}: {what}; correct its {file} and reload"
            ),
            None if self.common == ASIDE => {
                format!("the packages could not be installed with {installer}: {what}")
            }
            None => format!("the base environment could not be built with {installer}: {what}"),
        };
        EngineError::new(ErrorKind::Dependency, text)
    }
}
