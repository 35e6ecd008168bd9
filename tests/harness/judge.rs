//! Programs of others that are clients of a gateway.

use std::io;
use std::process::{Command, Output};

use crate::canaries::mark_in;

/// Runs a client to its end. What it prints is made of what the gateway has told it, so there is no secret in it.
///
/// # Errors
///
/// When it cannot be started.
///
/// # Panics
///
/// When it prints a secret.
pub fn judge(command: &mut Command) -> io::Result<Output> {
    let output = command.output()?;
    for text in [&output.stdout, &output.stderr] {
        let shown = String::from_utf8_lossy(text);
        assert_eq!(
            mark_in(text),
            None,
            "{command:?} was told a secret, token or key: {shown}"
        );
    }
    Ok(output)
}
