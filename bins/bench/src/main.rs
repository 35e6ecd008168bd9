//! Measures ToolDock beside ceilings and a peer: starts all programs, lets them take turns under load, judges the bars.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

mod load; // the generator
mod measure; // one row for a moment
mod median; // the middle of some numbers
mod options; // the command line
mod report; // what came out
mod rows; // what is measured
mod run; // all rows in turn
mod servers; // the programs

use std::{io, process::ExitCode};

use tokio::signal::unix::{SignalKind, signal};

use self::{options::Options, report::Report};

/// One thread: as much load as a server takes, and no more of the machine than that needs.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match bench().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn bench() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::read(std::env::args_os().skip(1))?;
    // Everything ends with this program, and this program with whoever started it.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
    let earlier = options.against.as_deref().map(Report::read).transpose()?;
    let report = tokio::select! {
        report = run::run(&options) => report?,
        name = ended() => return Err(format!("ended by {}", name?).into()),
    };
    println!("{}", report.table(earlier.as_ref()));
    report.write(&options.folder)?;
    let judged = !options.quick && options.rows.is_empty();
    let broken: Vec<_> = report.broken().map(|bar| bar.name.as_str()).collect();
    if judged && !broken.is_empty() {
        return Err(format!("these bars do not hold: {}", broken.join("; ")).into());
    }
    Ok(())
}

/// Returns when a signal asks for the end.
async fn ended() -> io::Result<&'static str> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => Ok("SIGTERM"),
        _ = interrupt.recv() => Ok("SIGINT"),
    }
}
