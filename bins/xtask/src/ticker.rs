//! Signs of life: a step that takes longer than two seconds says so, again and again.

use std::io::{IsTerminal, Write, stdout};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A step is silent for this long before it is announced.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a running step reports where lines cannot be rewritten.
const LOG_INTERVAL: Duration = Duration::from_secs(20);

/// Reports on one running step until it is stopped.
#[derive(Debug)]
pub(crate) struct Ticker {
    stop: SyncSender<()>,
    thread: JoinHandle<()>,
}

impl Ticker {
    /// Starts reporting under `label`. On a terminal one line is rewritten each second, unless the step is `shown`
    /// and writes lines of its own.
    pub(crate) fn start(label: String, shown: bool) -> Self {
        let (stop, stopped) = sync_channel::<()>(1);
        let rewrites = stdout().is_terminal() && !shown;
        let thread = thread::spawn(move || {
            let began = Instant::now();
            let mut wait = PATIENCE;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let seconds = began.elapsed().as_secs();
                if rewrites {
                    print!("\r{label}: running, {seconds} s ");
                    wait = Duration::from_secs(1);
                } else {
                    println!("{label}: running, {seconds} s");
                    wait = LOG_INTERVAL;
                }
                let _ = stdout().flush();
            }
            if rewrites {
                print!("\r\x1b[K");
            }
        });
        Self { stop, thread }
    }

    /// Ends the reports.
    pub(crate) fn stop(self) {
        drop(self.stop);
        let _ = self.thread.join();
    }
}
