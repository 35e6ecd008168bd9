//! A process group that ends with its owner.

use rustix::process::{Pid, Signal, kill_process_group};

/// A process group. Dropping it kills every process in it.
///
/// ```
/// use std::{os::unix::process::CommandExt as _, process::Command};
/// use tooldock_worker::ProcessGroup;
/// let mut child = Command::new("sleep").arg("600").process_group(0).spawn()?;
/// drop(ProcessGroup::of(Some(child.id())));
/// assert!(!child.wait()?.success());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// The group that the child `pid` leads; none when it was already waited for.
    #[must_use]
    pub fn of(pid: Option<u32>) -> Self {
        Self(pid.and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?)))
    }

    /// Sends a signal to every process of the group; true when there is one.
    pub(crate) fn signal(&self, signal: Signal) -> bool {
        self.0
            .is_some_and(|group| kill_process_group(group, signal).is_ok())
    }

    /// Kills what is left of the group and forgets it, so that its number is never used again.
    pub fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.0 = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}
