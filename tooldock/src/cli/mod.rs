//! The commands of the stock binaries.

mod announce;
mod args;
#[cfg(feature = "manager")]
mod audit;
mod connect;
mod core;
mod dev;
#[cfg(feature = "manager")]
mod doctor;
mod door;
mod file_size;
mod flags;
mod inherited;
mod init;
#[cfg(feature = "manager")]
mod keygen;
mod log;
#[cfg(feature = "manager")]
mod manager;
mod notify;
mod private;
#[cfg(feature = "manager")]
mod secrets;
mod snippets;
mod stdio;
#[cfg(target_os = "linux")]
mod strays;
mod succession;
#[cfg(feature = "manager")]
mod terminal;
mod threads;
#[cfg(feature = "manager")]
mod token;
mod volume;
mod witness;

use std::{fmt, io::Write as _, os::fd::OwnedFd, process::ExitCode};

use clap::error::ErrorKind;
use tokio::runtime::Runtime;

#[cfg(feature = "manager")]
pub use self::manager::manager;
use self::{
    args::{Arguments, Command, ServeArguments},
    door::Entrance,
    succession::Predecessor,
};
use crate::{
    config::{CoreSettings, EXIT_CONFIG, Mistakes, ProcessEnvironment, Sources, as_text},
    run::Listener,
};

/// The name of the gateway.
const CORE: &str = "tooldock-core";
/// Exit status for a command line that cannot be understood (`EX_USAGE` of sysexits).
const EXIT_USAGE: u8 = 64;

/// `tooldock-core`: shuts its memory to other processes, reads the command line and the settings, serves until a signal comes, says
/// how it went.
///
/// Exit status: 0 after an orderly end, 64 for a wrong command line, 78 for wrong settings, 1 for everything else.
#[must_use]
pub fn core() -> ExitCode {
    if let Err(error) = private::shut().and_then(|()| file_size::outlive()) {
        return fail(CORE, &error.into());
    }
    let arguments: Arguments = match parse() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    if init::is_first() {
        return init::stand_in().unwrap_or_else(|error| fail(CORE, &error.into()));
    }
    let inherited = match inherited::take() {
        Ok(inherited) => inherited,
        Err(error) => return fail(CORE, &error.into()),
    };
    let command = arguments.command.unwrap_or_default();
    let runtime = match threads::runtime(command.threads()) {
        Ok(runtime) => runtime,
        Err(error) => return fail(CORE, &Failure::Run(format!("no runtime: {error}"))),
    };
    #[cfg(target_os = "linux")]
    let _strays = strays::adopt(&runtime).inspect_err(
        |error| tracing::warn!(%error, "processes that outlive their worker cannot be taken in"),
    );
    let result = match command {
        Command::Serve(arguments) => serve(arguments, inherited, &runtime),
        Command::Dev(arguments) => runtime.block_on(dev::dev(&arguments)),
        Command::Stdio(arguments) => runtime.block_on(stdio::stdio(arguments)),
        Command::Connect(arguments) => runtime.block_on(connect::connect(arguments)),
    };
    // Everything has ended by now but a read of standard input, which nothing can end.
    runtime.shutdown_background();
    result.map_or_else(|failure| fail(CORE, &failure), |()| ExitCode::SUCCESS)
}

/// Understands the command line, or says what it takes.
fn parse<T: clap::Parser>() -> Result<T, ExitCode> {
    T::try_parse().map_err(|text| {
        text.print().ok();
        match text.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::SUCCESS,
            _ => ExitCode::from(EXIT_USAGE),
        }
    })
}

/// A line on standard output. Who asked may not want to read it all.
#[cfg(feature = "manager")]
fn say(line: fmt::Arguments<'_>) {
    writeln!(std::io::stdout(), "{line}").ok();
}

/// A line on standard error, for a person beside what a script reads.
fn tell(line: fmt::Arguments<'_>) {
    writeln!(std::io::stderr(), "{line}").ok();
}

/// Reads the settings and serves by them, or prints them.
fn serve(arguments: ServeArguments, inherited: Option<OwnedFd>, runtime: &Runtime) -> Result<(), Failure> {
    let _entered = runtime.enter();
    let (predecessor, socket, volume) = match arguments.take_over {
        true => {
            let (predecessor, socket, volume) = Predecessor::meet()?;
            (Some(predecessor), Some(socket), Some(volume))
        }
        false => (None, inherited, None),
    };
    let entrance = Entrance {
        socket: socket.map(Listener::adopt).transpose()?,
        predecessor,
    };
    let mut flags = arguments.flags.0;
    entrance.describe(&mut flags)?;
    let (sources, _) = Sources::load(flags, &ProcessEnvironment)?;
    let settings = CoreSettings::read(&sources)?;
    if arguments.print_config {
        // Who asked may not want to read it all.
        write!(std::io::stdout(), "{}", as_text(&settings.effective)).ok();
        return Ok(());
    }
    log::init(&settings.log)?;
    runtime.block_on(core::serve(settings, entrance, volume))
}

/// Why a command ends.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Settings(#[from] Mistakes),
    #[error("{0}")]
    Run(String),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Run(error.to_string())
    }
}

fn fail(program: &str, failure: &Failure) -> ExitCode {
    // Nobody is left to tell when standard error is gone as well.
    tell(format_args!("{program}: {failure}"));
    match failure {
        Failure::Settings(_) => ExitCode::from(EXIT_CONFIG),
        Failure::Run(_) => ExitCode::FAILURE,
    }
}
