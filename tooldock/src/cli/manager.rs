//! `tooldock-manager`: what an operator does at a terminal.

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

use super::{
    Failure,
    keygen::{self, KeygenArguments},
    parse, private,
    secrets::{self, SecretsCommand},
};
use crate::config::{ProcessEnvironment, SecretsSettings, Sources};

/// The name of the program.
const MANAGER: &str = "tooldock-manager";

/// Keeps the secrets of a gateway. Values come from the terminal or standard input, never from the command line.
#[derive(Debug, Parser)]
#[command(name = "tooldock-manager", version, about)]
struct Arguments {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Args)]
struct Place {
    /// Folder with the secrets, `tools/` and everything else that is kept [default: $DATA_DIR, else /data].
    #[arg(long, value_name = "FOLDER", global = true)]
    data_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Set, remove, edit and list secrets; change their key.
    #[command(subcommand)]
    Secrets(SecretsCommand),
    /// Make tokens and the key of the secrets, and write them into a file that only you can read.
    Keygen(KeygenArguments),
}

/// `tooldock-manager`: shuts its memory to other processes, reads the command line and the settings, does one thing, says how it went.
///
/// Exit status: 0 when it is done, 64 for a wrong command line, 78 for wrong settings, 1 for everything else.
#[must_use]
pub fn manager() -> ExitCode {
    if let Err(error) = private::shut() {
        return super::fail(MANAGER, &error.into());
    }
    let arguments: Arguments = match parse() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let result = match arguments.command {
        Command::Keygen(arguments) => keygen::run(&arguments),
        Command::Secrets(command) => {
            open(arguments.place).and_then(|settings| secrets::run(command, settings))
        }
    };
    result.map_or_else(|failure| super::fail(MANAGER, &failure), |()| ExitCode::SUCCESS)
}

fn open(place: Place) -> Result<SecretsSettings, Failure> {
    let folder = place
        .data_dir
        .map(|folder| ("DATA_DIR".to_owned(), folder.display().to_string()));
    let flags = BTreeMap::from_iter(folder);
    let (sources, _) = Sources::load(flags, &ProcessEnvironment)?;
    Ok(SecretsSettings::read(&sources)?)
}
