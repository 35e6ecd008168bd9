//! `tooldock-manager secrets`: one file for each command.

mod check;
mod doctor;
mod edit;
mod editor;
mod list;
mod rekey;
mod set;
mod signals;
mod unset;

use clap::Subcommand;
use tooldock_secrets::{EditError, Scope, Store, StoreError};

pub(super) use self::signals::Signals;
use self::{
    check::CheckArguments, edit::EditArguments, list::ListArguments, set::SetArguments, unset::UnsetArguments,
};
use super::Failure;
use crate::{config::SecretsSettings, secrets::open_store};

#[derive(Debug, Subcommand)]
pub(super) enum SecretsCommand {
    /// Set one value: typed without being shown, or from standard input.
    Set(SetArguments),
    /// Remove one secret, value and name.
    Unset(UnsetArguments),
    /// Edit all values in $VISUAL or $EDITOR; their plain text stays on memory and is wiped.
    Edit(EditArguments),
    /// Show names, scopes and states; never values.
    List(ListArguments),
    /// Compare what the namespaces declare with what is there.
    Check(CheckArguments),
    /// Change the key: set SECRETS_KEY to the new one and SECRETS_KEY_PREVIOUS to the old one, then run this.
    Rekey,
    /// Repair what a killed command left, and report what needs a person.
    Doctor,
}

/// Runs a command.
pub(super) fn run(command: SecretsCommand, settings: SecretsSettings) -> Result<(), Failure> {
    let store = open_store(&settings.data_dir, settings.keys);
    match command {
        SecretsCommand::Set(arguments) => set::run(arguments, &store),
        SecretsCommand::Unset(arguments) => unset::run(&arguments, &store),
        SecretsCommand::Edit(arguments) => edit::run(&arguments, &store),
        SecretsCommand::List(arguments) => list::run(&arguments, &store),
        SecretsCommand::Check(arguments) => check::run(&arguments, &store),
        SecretsCommand::Rekey => rekey::run(&store),
        SecretsCommand::Doctor => doctor::run(&store),
    }
}

/// `GITHUB_TOKEN (global)`.
fn shown(name: &impl std::fmt::Display, scope: &Scope) -> String {
    format!("{name} ({scope})")
}

/// What an operator does for a change to count.
const NEXT_RELOAD: &str = "a running gateway sees that at its next reload";

/// A namespace that a command is about.
fn namespace(store: &Store, scope: &Scope) -> Option<String> {
    match scope {
        Scope::Namespace(name) if !store.folder().join("tools").join(&**name).is_dir() => {
            Some(name.to_string())
        }
        _ => None,
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Run(error.to_string())
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        Self::Run(error.to_string())
    }
}
