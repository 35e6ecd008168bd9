//! The commands of the stock binaries.

mod announce;
mod args;
mod core;
mod dev;
mod flags;
mod log;
mod snippets;
mod stdio;

use std::{io::Write as _, process::ExitCode};

use clap::{Parser as _, error::ErrorKind};
use tokio::runtime::Runtime;

use self::args::{Arguments, Command, ServeArguments};
use crate::config::{CoreSettings, EXIT_CONFIG, Mistakes, ProcessEnvironment, Sources, as_text};

/// Exit status for a command line that cannot be understood (`EX_USAGE` of sysexits).
const EXIT_USAGE: u8 = 64;

/// `tooldock-core`: reads the command line and the settings, serves until a signal comes, says how it went.
///
/// Exit status: 0 after an orderly end, 64 for a wrong command line, 78 for wrong settings, 1 for everything else.
#[must_use]
pub fn core() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(text) => {
            text.print().ok();
            let asked_for = matches!(text.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            return if asked_for {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(EXIT_USAGE)
            };
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&Failure::Run(format!("no runtime: {error}"))),
    };
    let result = match arguments.command.unwrap_or_default() {
        Command::Serve(arguments) => serve(arguments, &runtime),
        Command::Dev(arguments) => runtime.block_on(dev::dev(&arguments)),
        Command::Stdio(arguments) => runtime.block_on(stdio::stdio(arguments)),
    };
    // Everything has ended by now but a read of standard input, which nothing can end.
    runtime.shutdown_background();
    result.map_or_else(|failure| fail(&failure), |()| ExitCode::SUCCESS)
}

/// Reads the settings and serves by them, or prints them.
fn serve(arguments: ServeArguments, runtime: &Runtime) -> Result<(), Failure> {
    let (sources, _) = Sources::load(arguments.flags.0, &ProcessEnvironment)?;
    let settings = CoreSettings::read(&sources)?;
    if arguments.print_config {
        // Who asked may not want to read it all.
        write!(std::io::stdout(), "{}", as_text(&settings.effective)).ok();
        return Ok(());
    }
    log::init(&settings.log)?;
    runtime.block_on(core::serve(settings))
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

fn fail(failure: &Failure) -> ExitCode {
    // Nobody is left to tell when standard error is gone as well.
    writeln!(std::io::stderr(), "tooldock-core: {failure}").ok();
    match failure {
        Failure::Settings(_) => ExitCode::from(EXIT_CONFIG),
        Failure::Run(_) => ExitCode::FAILURE,
    }
}
