//! `secrets set`: one value.

use std::{
    ffi::OsString,
    io::{self, Read as _},
};

use clap::Args;
use tooldock_secrets::{Scope, SecretName, SecretValue, Store};
use tooldock_worker::disk::check_variable;
use zeroize::Zeroizing;

use super::{
    super::{Failure, say, terminal},
    NEXT_RELOAD, Signals, namespace, shown,
    signals::wait,
};

/// Bytes that are read: one more than a value may have, and a line break.
const MOST: u64 = (64 << 10) + 3;

#[derive(Debug, Args)]
pub(in crate::cli) struct SetArguments {
    /// Its name: a variable of the environment, like GITHUB_TOKEN.
    name: SecretName,
    /// Whatever stands here is refused, without being shown again.
    #[arg(hide = true)]
    value: Vec<OsString>,
    /// `global`, or the one namespace that is given it.
    #[arg(long, default_value = "global")]
    scope: Scope,
    /// Take standard input as it is, also the line break at its end.
    #[arg(long)]
    exact: bool,
}

pub(super) fn run(arguments: SetArguments, store: &Store) -> Result<(), Failure> {
    let SetArguments {
        name,
        value,
        scope,
        exact,
    } = arguments;
    if !value.is_empty() {
        return Err(Failure::Run(format!(
            "a value on the command line stays in the history of the shell; leave it out to be asked for it, or pipe it: \
             `tooldock-manager secrets set {name} < file`"
        )));
    }
    check_variable(name.as_str(), "").map_err(|error| Failure::Run(error.to_string()))?;
    // A wrong key is told before anybody types.
    store.read()?;
    let what = shown(&name, &scope);
    let text = if terminal::is_there() {
        wait(async {
            let mut signals = Signals::catch()?;
            terminal::hidden(&format!("Value of {what}, not shown: "), &mut signals).await
        })?
    } else {
        input(exact)?
    };
    let value = SecretValue::new(text).map_err(|error| Failure::Run(format!("{what}: {error}")))?;
    let unknown = namespace(store, &scope);
    store.change(|contents| {
        contents.set(scope, name, value);
        Ok(())
    })?;
    say(format_args!("{what} is stored; {NEXT_RELOAD}."));
    if let Some(namespace) = unknown {
        say(format_args!(
            "There is no namespace `{namespace}` yet; it is given the value when it comes."
        ));
    }
    Ok(())
}

/// All of standard input, without the one line break that programs put at its end.
fn input(exact: bool) -> Result<String, Failure> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(1 << 17));
    io::stdin().lock().take(MOST).read_to_end(&mut bytes)?;
    if !exact && bytes.ends_with(b"\n") {
        bytes.pop();
        if bytes.ends_with(b"\r") {
            bytes.pop();
        }
    }
    let text = str::from_utf8(&bytes).map_err(|_| Failure::Run("the value is no UTF-8 text".to_owned()))?;
    Ok(text.to_owned())
}
