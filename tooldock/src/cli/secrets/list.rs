//! `secrets list`: names, scopes and states.

use clap::Args;
use tooldock_secrets::{Scope, Store};

use super::super::{Failure, say};

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArguments {
    /// Only `global`, or only one namespace.
    #[arg(long)]
    scope: Option<Scope>,
}

pub(super) fn run(arguments: &ListArguments, store: &Store) -> Result<(), Failure> {
    let contents = store.read()?;
    let mut entries = contents.entries();
    entries.retain(|entry| arguments.scope.as_ref().is_none_or(|scope| *scope == entry.scope));
    if entries.is_empty() {
        say(format_args!(
            "There is no secret; `tooldock-manager secrets set NAME` sets one."
        ));
    }
    let width =
        |length: &dyn Fn(&tooldock_secrets::Entry) -> usize| entries.iter().map(length).max().unwrap_or(0);
    let (names, scopes) = (
        width(&|entry| entry.name.as_str().len()),
        width(&|entry| entry.scope.to_string().len()),
    );
    for entry in &entries {
        let (name, scope, status) = (
            entry.name.as_str(),
            entry.scope.to_string(),
            entry.status.as_str(),
        );
        say(format_args!("{name:names$}  {scope:scopes$}  {status}"));
    }
    Ok(())
}
