//! The signals that end a program.

use std::io;

use tokio::signal::unix::{SignalKind, signal};

/// Waits for SIGINT or SIGTERM.
///
/// # Errors
/// When the handlers cannot be installed.
///
/// # Cancel safety
/// Safe; a signal that comes while nobody waits is not seen.
pub async fn shutdown_signal() -> io::Result<&'static str> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => Ok("SIGINT"),
        _ = terminate.recv() => Ok("SIGTERM"),
    }
}
