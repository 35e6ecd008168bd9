//! `xdoc`: what rustdoc knows of our crates, as text.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "no settings module here: the environment names cargo and rustdoc"
)]

mod api; // the listing of a crate's public API
mod coverage; // how much is documented, and how much of that with an example
mod rustdoc; // runs rustdoc with what only its unstable options give

use std::process::ExitCode;

/// The crates that are published, in the order in which they depend on each other.
const CRATES: &[&str] = &[
    "tooldock-engine",
    "tooldock-mcp",
    "tooldock-openapi",
    "tooldock-worker",
    "tooldock-secrets",
    "tooldock",
];

fn main() -> ExitCode {
    if let Some(form) = rustdoc::form() {
        return rustdoc::stand_in(&form);
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["api", package] => api::list(package).map(|text| print!("{text}")),
        ["coverage"] => coverage::check(CRATES),
        _ => Err("Usage: xdoc api CRATE | xdoc coverage".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
