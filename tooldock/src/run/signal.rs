//! The signals that end a program.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGINT and SIGTERM, caught from when it is made.
#[derive(Debug)]
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Catches both signals from now on.
    ///
    /// # Errors
    /// When the handlers cannot be installed.
    pub fn catch() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next of them and gives its name.
    ///
    /// # Cancel safety
    /// Safe: a signal that comes meanwhile is seen by the next call.
    pub async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
        }
    }
}

/// Waits for SIGINT or SIGTERM: for programs that end at the first one.
///
/// # Errors
/// When the handlers cannot be installed.
///
/// # Cancel safety
/// Safe; a signal that comes while nobody waits is not seen.
pub async fn shutdown_signal() -> io::Result<&'static str> {
    Ok(Signals::catch()?.next().await)
}
