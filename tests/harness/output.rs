//! What a child process writes to its standard output: every line is kept, and the first ready line is handed over.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How the binary begins the line that says it serves: an address follows.
const READY: &str = "ready ";

/// Reads until the child closes its end, so that it never waits for a reader.
#[derive(Debug)]
pub(crate) struct Output {
    ready: Receiver<String>,
}

impl Output {
    /// Starts reading; each line also goes to `log`.
    pub(crate) fn follow(stdout: ChildStdout, mut log: File) -> Self {
        let (sender, ready) = sync_channel(1);
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = writeln!(log, "{line}");
                if let Some(address) = line.strip_prefix(READY) {
                    let _ = sender.try_send(address.trim().to_owned());
                }
            }
        });
        Self { ready }
    }

    /// The address of the ready line.
    pub(crate) fn address(&self, patience: Duration) -> Result<String, RecvTimeoutError> {
        self.ready.recv_timeout(patience)
    }

    /// Waits until the child has closed its output, which it does at its end. True when it did in time.
    pub(crate) fn closed(&self, patience: Duration) -> bool {
        self.ready.recv_timeout(patience) == Err(RecvTimeoutError::Disconnected)
    }
}
