//! The process between the gateway and a worker, which ends whatever the worker has started.

use rustix::process::{Pid, Signal, kill_process};

/// Our end of a warden (`python/tooldock_worker/warden.py`). Dropping it has the worker and everything that it started ended.
#[derive(Debug)]
pub(crate) struct Warden(Option<Pid>);

impl Warden {
    /// The order to end everything at once.
    const END: Signal = Signal::QUIT;

    /// The warden that is our child `pid`.
    pub(super) fn of(pid: Option<u32>) -> Self {
        Self(pid.and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?)))
    }

    /// Sends a signal to the warden, which passes TERM and USR1 on to the worker; true when it is there. It must not be reaped yet.
    pub(super) fn signal(&self, signal: Signal) -> bool {
        self.0.is_some_and(|warden| kill_process(warden, signal).is_ok())
    }

    /// Orders the end, also of a warden that somebody has stopped.
    pub(super) fn end(&self) {
        self.signal(Self::END);
        self.signal(Signal::CONT);
    }

    /// Notes that it is reaped: its number may be somebody else's from now on.
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        self.end();
    }
}
