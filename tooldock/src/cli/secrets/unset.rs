//! `secrets unset`: removes one secret.

use clap::Args;
use tooldock_secrets::{Scope, SecretName, Store, StoreError};

use super::{
    super::{Failure, say},
    NEXT_RELOAD, shown,
};

#[derive(Debug, Args)]
pub(in crate::cli) struct UnsetArguments {
    /// Its name.
    name: SecretName,
    /// `global`, or the one namespace that is given it.
    #[arg(long, default_value = "global")]
    scope: Scope,
}

pub(super) fn run(arguments: &UnsetArguments, store: &Store) -> Result<(), Failure> {
    let UnsetArguments { name, scope } = arguments;
    store.change(|contents| {
        if contents.unset(scope, name) {
            return Ok(());
        }
        Err(StoreError::Unknown {
            name: name.to_string(),
            scope: scope.to_string(),
        })
    })?;
    say(format_args!("{} is removed; {NEXT_RELOAD}.", shown(name, scope)));
    Ok(())
}
