//! `secrets edit`: every value at once, in an editor.

use clap::Args;
use tooldock_secrets::{EditError, EditSession, Edited, Places, Store};

use super::{
    super::{Failure, say, terminal},
    NEXT_RELOAD, Signals,
    editor::Editor,
    signals::wait,
};
use crate::config::ProcessEnvironment;

#[derive(Debug, Args)]
pub(in crate::cli) struct EditArguments {
    /// Where no folder is on memory: let the plain text lie on the disk meanwhile.
    #[arg(long)]
    allow_disk: bool,
}

pub(super) fn run(arguments: &EditArguments, store: &Store) -> Result<(), Failure> {
    wait(edit(arguments, store))
}

async fn edit(arguments: &EditArguments, store: &Store) -> Result<(), Failure> {
    // From here on no signal ends the program at once, so that whatever happens, the plain text is wiped.
    let mut signals = Signals::catch()?;
    let places = if arguments.allow_disk {
        Places::default().or_disk(store.folder())
    } else {
        Places::default()
    };
    let editor = Editor::find(&ProcessEnvironment);
    let session = EditSession::begin(store, &places)?;
    loop {
        editor.open(&session, &mut signals).await?;
        match session.save() {
            Ok(Edited::Unchanged) => say(format_args!("Nothing was changed.")),
            Ok(Edited::Changed) => say(format_args!("The changes are stored; {NEXT_RELOAD}.")),
            Err(EditError::Sheet(mistake)) => {
                if again(&mistake, &mut signals).await? {
                    continue;
                }
                return Err(Failure::Run("given up; nothing was changed".to_owned()));
            }
            Err(error) => return Err(error.into()),
        }
        return Ok(());
    }
}

/// Tells a mistake, and asks whether it shall be corrected. Where nobody can be asked, it is the end.
async fn again(mistake: &str, signals: &mut Signals) -> Result<bool, Failure> {
    use std::io::Write as _;
    if !terminal::is_there() {
        return Err(Failure::Run(format!("{mistake}; nothing was changed")));
    }
    // Silent before it is asked, so that no quick answer is shown twice.
    let silent = terminal::Silent::new()?;
    let mut err = std::io::stderr();
    write!(err, "{mistake}\nEdit again? [Y/n] ")?;
    err.flush()?;
    let key = tokio::select! {
        key = tokio::task::spawn_blocking(terminal::key) => key.map_err(|error| Failure::Run(error.to_string()))??,
        signal = signals.next() => return Err(signal.failure()),
    };
    drop(silent);
    let yes = matches!(key, Some(b'y' | b'Y' | b'\r' | b'\n'));
    writeln!(err, "{}", if yes { "y" } else { "n" })?;
    Ok(yes)
}
