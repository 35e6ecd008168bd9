//! The environment of the tools of a namespace.

use std::{borrow::Cow, collections::BTreeMap};

use super::Plan;
use crate::{disk::resolve, report::LoadError};

/// What the tools find in their environment, and what of it is left out because a reference in it cannot be resolved.
#[derive(Debug, Default)]
pub(super) struct ToolEnvironment<'a> {
    pub(super) variables: BTreeMap<&'a str, Cow<'a, str>>,
    pub(super) errors: Vec<LoadError>,
}

impl<'a> ToolEnvironment<'a> {
    /// Defaults of the folder, over them the operator, over both the secrets. What is left out is not there at all: a default must
    /// not come back in the place of what the operator wanted.
    pub(super) fn of(plan: &'a Plan) -> Self {
        let mut this = Self::default();
        let default = |(name, text)| (name, (text, "tooldock.yaml"));
        let own = |(name, text)| (name, (text, "config.yaml"));
        let texts: BTreeMap<&String, (&String, &str)> = plan
            .manifest
            .env
            .iter()
            .map(default)
            .chain(plan.environment.iter().map(own))
            .collect();
        for (name, (text, file)) in texts {
            match resolve(text, &plan.manifest.secrets, &plan.secrets) {
                Ok(text) => drop(this.variables.insert(name, text)),
                Err(what) => this.errors.push(LoadError {
                    file: file.to_owned(),
                    message: format!("the variable `{name}` {what}; it is left out"),
                    ..LoadError::default()
                }),
            }
        }
        let secrets = plan.secrets.iter();
        this.variables
            .extend(secrets.map(|(name, value)| (name.as_str(), Cow::Borrowed(value.expose()))));
        this
    }
}
