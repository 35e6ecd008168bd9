//! `cargo xtask`: the one entry for tests, checks and generated pages.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "no settings module here: the environment names cargo and the terminal"
)]

mod bench; // the benchmarks
mod debian; // programs from packages of Debian
mod fuzz; // made-up input for every parser
mod lint; // our own checks on the text of the repository
mod node; // clients and suites that run on Node
mod pages; // pages that are made from the code
mod program; // one child process: captured or shown
mod publish; // what a crate needs before it may be published
mod python; // the checks of the Python side
mod rust; // everything that cargo does
mod soak; // the long run
mod step; // one named, timed step
mod supply; // licences, bans, sources and advisories of the dependency tree
mod task; // the subcommands: which steps each of them runs
mod ticker; // signs of life while a step runs
mod venv; // virtual environments below `target/xtask`
mod workshop; // where things are: the repository and `target/xtask`

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match task::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
