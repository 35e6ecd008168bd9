//! `crowd`: ten thousand idle streams, a hundred thousand forgotten sessions, and what they cost a server in a process of its own.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

mod client; // the least HTTP that opens sessions and streams
mod server; // the server process: a gateway whose tools change when it is told so
mod sessions; // sessions that are made and left
mod streams; // streams that are open and silent
mod subject; // the server process as its parent sees it

use std::{error::Error, process::ExitCode};

/// What every part may fail with: a sentence for the terminal.
type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// The tokens of the crowd, one for each principal.
const TOKENS: [&str; 5] = [
    "crowd-token-of-principal-one",
    "crowd-token-of-principal-two",
    "crowd-token-of-principal-three",
    "crowd-token-of-principal-four",
    "crowd-token-of-principal-five",
];

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let done = if std::env::args().nth(1).as_deref() == Some("serve") {
        server::run().await
    } else {
        check().await
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn check() -> Outcome {
    streams::check().await?;
    sessions::check().await
}
