//! `tooldock-manager`: the manager as a server, and what an operator does at a terminal.

use std::{collections::BTreeMap, future::pending, io::Write as _, path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

use super::{
    Failure,
    audit::{self, AuditCommand},
    doctor::{self, DoctorArguments},
    door::{Door, Entrance},
    file_size,
    flags::{ManagerTable, SettingFlags},
    init,
    keygen::{self, KeygenArguments},
    log, parse, private,
    secrets::{self, SecretsCommand},
    threads,
    token::{self, TokenArguments},
};
use crate::{
    audit::{AuditSettings, AuditWriter},
    config::{ManagerSettings, Mistakes, ProcessEnvironment, SecretsSettings, Sources, as_text},
    layers::AuditLayer,
    manager::Manager,
};

/// The name of the program.
const MANAGER: &str = "tooldock-manager";

/// Manages the namespaces of a gateway: serves the tools with which a model does it, keeps the secrets, checks the audit log. Values come
/// from the terminal or standard input, never from the command line.
#[derive(Debug, Parser)]
#[command(name = "tooldock-manager", version)]
struct Arguments {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Args)]
struct Place {
    /// Folder with the secrets, `tools/` and everything else that is kept [default: $DATA_DIR, else /data].
    #[arg(long, value_name = "FOLDER", global = true)]
    data_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the management tools over MCP and REST (the default). A flag counts before the environment, the environment before
    /// `<data-dir>/config.yaml`, that before the default.
    Serve(ServeArguments),
    /// Set, remove, edit and list secrets; change their key.
    #[command(subcommand)]
    Secrets(SecretsCommand),
    /// Look at the audit log.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Tell what does not work: the core, the secrets, or a namespace; with the exact fix of each.
    Doctor(DoctorArguments),
    /// Make tokens and the key of the secrets, and write them into a file that only you can read.
    Keygen(KeygenArguments),
    /// Make a token for somebody: it is shown once, and what TOKENS_FILE needs of it is printed, to be appended there with `>>`.
    Token(TokenArguments),
}

#[derive(Debug, Default, Args)]
struct ServeArguments {
    #[command(flatten)]
    flags: SettingFlags<ManagerTable>,
    /// Print every setting as it counts, and where it comes from, and end. Of secrets only whether they are set.
    #[arg(long)]
    print_config: bool,
}

impl Default for Command {
    fn default() -> Self {
        Self::Serve(ServeArguments::default())
    }
}

/// `tooldock-manager`: shuts its memory to other processes, reads the command line and the settings, serves or does one
/// thing, says how it went.
///
/// Exit status: 0 when it is done, 64 for a wrong command line, 78 for wrong settings, 1 for everything else.
#[must_use]
pub fn manager() -> ExitCode {
    if let Err(error) = private::shut().and_then(|()| file_size::outlive()) {
        return super::fail(MANAGER, &error.into());
    }
    let arguments: Arguments = match parse() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    if init::is_first() {
        return init::stand_in().unwrap_or_else(|error| super::fail(MANAGER, &error.into()));
    }
    let result =
        match arguments.command.unwrap_or_default() {
            Command::Serve(served) => serve(served, arguments.place),
            Command::Doctor(asked) => open(arguments.place, ManagerSettings::read)
                .and_then(|settings| doctor::run(&asked, settings)),
            Command::Keygen(arguments) => keygen::run(&arguments),
            Command::Token(arguments) => token::run(&arguments),
            Command::Audit(command) => open(arguments.place, AuditSettings::read)
                .and_then(|settings| audit::run(&command, &settings)),
            Command::Secrets(command) => open(arguments.place, SecretsSettings::read)
                .and_then(|settings| secrets::run(command, settings)),
        };
    result.map_or_else(|failure| super::fail(MANAGER, &failure), |()| ExitCode::SUCCESS)
}

impl Place {
    /// What it says, as the flag of a setting.
    fn flag(self) -> Option<(String, String)> {
        let folder = self.data_dir?;
        Some(("DATA_DIR".to_owned(), folder.display().to_string()))
    }
}

fn open<T>(place: Place, read: impl FnOnce(&Sources<'_>) -> Result<T, Mistakes>) -> Result<T, Failure> {
    let flags = BTreeMap::from_iter(place.flag());
    let (sources, _) = Sources::load(flags, &ProcessEnvironment)?;
    Ok(read(&sources)?)
}

/// Reads the settings and serves by them, or prints them.
fn serve(arguments: ServeArguments, place: Place) -> Result<(), Failure> {
    let mut flags = arguments.flags.0;
    flags.extend(place.flag());
    let (sources, _) = Sources::load(flags, &ProcessEnvironment)?;
    let mut settings = ManagerSettings::read(&sources)?;
    if arguments.print_config {
        // Who asked may not want to read it all.
        write!(std::io::stdout(), "{}", as_text(&settings.gateway.effective)).ok();
        return Ok(());
    }
    log::init(&settings.gateway.log)?;
    log::warn(&settings.gateway.warnings);
    let audit = settings
        .gateway
        .audit
        .clone()
        .map(AuditWriter::start)
        .transpose()?;
    settings.gateway.layers.audit = audit.as_ref().map(|audit| AuditLayer::new(audit.log()));
    let runtime = threads::runtime(settings.gateway.threads)?;
    runtime.block_on(async {
        let served = settings.gateway.clone();
        let gateway = Manager::new(settings).gateway();
        let gateway = gateway.map_err(|error| Failure::Run(error.to_string()))?;
        let door = Door::open(&gateway, &served, Entrance::default(), None).await?;
        door.serve(async |_, _| pending().await).await
    })
}
