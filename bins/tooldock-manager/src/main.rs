//! The binary for operators; everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    tooldock::cli::manager()
}
