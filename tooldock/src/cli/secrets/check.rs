//! `secrets check`: what the namespaces declare, and what is there.

use clap::Args;
use tooldock_secrets::{Contents, Store};
use tooldock_worker::{NamespaceFolder, ToolsFolder};

use super::super::{Failure, say};

#[derive(Debug, Args)]
pub(in crate::cli) struct CheckArguments {
    /// Only this namespace.
    namespace: Option<String>,
}

/// Fails when a value is missing, so that scripts can ask.
pub(super) fn run(arguments: &CheckArguments, store: &Store) -> Result<(), Failure> {
    let contents = store.read()?;
    let root = store.folder().join("tools");
    let scan = ToolsFolder::subfolders(&root)
        .scan()
        .map_err(|error| Failure::Run(format!("cannot read `{}`: {error}", root.display())))?;
    let wanted = |folder: &NamespaceFolder| {
        arguments
            .namespace
            .as_deref()
            .is_none_or(|name| folder.name.as_str() == name)
    };
    let folders: Vec<_> = scan.namespaces.into_iter().filter(wanted).collect();
    if let (Some(name), true) = (&arguments.namespace, folders.is_empty()) {
        return Err(Failure::Run(format!(
            "there is no namespace `{}` in `{}`",
            name.escape_debug(),
            root.display()
        )));
    }
    let without: usize = folders.iter().map(|folder| report(folder, &contents)).sum();
    if without == 0 {
        return Ok(());
    }
    let are = if without == 1 {
        "secret has"
    } else {
        "secrets have"
    };
    Err(Failure::Run(format!(
        "{without} {are} no value; set each with `tooldock-manager secrets set NAME --scope SCOPE`"
    )))
}

/// Says how the needs of a namespace are met, and how many are not.
fn report(folder: &NamespaceFolder, contents: &Contents) -> usize {
    let name = folder.name.as_str();
    let check = contents.check(name, folder.manifest.secrets.iter().map(String::as_str));
    if folder.manifest.secrets.is_empty() {
        say(format_args!("{name}: needs no secret"));
    }
    let states = [
        (&check.satisfied, "set"),
        (&check.placeholders, "placeholder"),
        (&check.missing, "missing"),
    ];
    for (names, state) in states {
        for secret in names {
            say(format_args!("{name}: {secret} {state}"));
        }
    }
    check.placeholders.len() + check.missing.len()
}
