//! A process group that ends with its owner.

use rustix::process::{Pid, Signal, kill_process_group};

/// A process group. Dropping it kills every process in it.
#[derive(Debug)]
pub(crate) struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// The group that the child `pid` leads.
    pub(crate) fn of(pid: Option<u32>) -> Self {
        Self(pid.and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?)))
    }

    /// Sends a signal to every process of the group; true when there is one.
    pub(crate) fn signal(&self, signal: Signal) -> bool {
        self.0
            .is_some_and(|group| kill_process_group(group, signal).is_ok())
    }

    /// Kills what is left of the group and forgets it, so that its number is never used again.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.0 = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}
