//! The signals that end a command which waits for a person.

use std::{future::Future, io};

use tokio::signal::unix::{self, SignalKind, signal};

use super::super::Failure;

/// Does what may wait for a person. Whatever a signal ends is cleared up: values are wiped, and the terminal is as it was.
pub(super) fn wait<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let result = runtime.block_on(work);
    // A key that nobody presses any more is waited for by a thread of its own.
    runtime.shutdown_background();
    result
}

/// SIGINT, SIGTERM and SIGHUP, caught from when it is made.
pub(in crate::cli) struct Signals {
    interrupt: unix::Signal,
    terminate: unix::Signal,
    hang_up: unix::Signal,
}

/// A signal by its name.
pub(in crate::cli) struct Caught(&'static str);

impl Caught {
    pub(in crate::cli) fn is_interrupt(&self) -> bool {
        self.0 == "SIGINT"
    }

    pub(in crate::cli) fn failure(&self) -> Failure {
        Failure::Run(format!("ended by {}; nothing was changed", self.0))
    }
}

impl Signals {
    pub(in crate::cli) fn catch() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    pub(in crate::cli) async fn next(&mut self) -> Caught {
        Caught(tokio::select! {
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.hang_up.recv() => "SIGHUP",
        })
    }
}
