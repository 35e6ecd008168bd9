//! Closing a process in before its program begins.

use std::{io, os::unix::process::CommandExt as _, path::Path};

use rustix::{
    fs::Mode,
    process::{geteuid, umask},
};
use tokio::process::Command;

use super::{Isolation, Protection, Reach, Sandbox, SandboxSettings, kernel, limits::Limits};

/// What a worker is to be confined to, for one start and the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct Confines {
    pub settings: SandboxSettings,
    pub reach: Reach,
}

impl Confines {
    /// The same for a process that may write in `temp`.
    pub(crate) fn with_temp(mut self, temp: &Path) -> Self {
        self.reach.write.push(temp.to_owned());
        self
    }

    /// What this system enforces of it; whether `memory` of the process is unreadable, the process itself says.
    pub(crate) fn isolation(&self, unreadable: bool) -> Isolation {
        let level = kernel::Level::probe();
        Isolation::of(&self.settings, |protection| match protection {
            Protection::UnreadableMemory => unreadable,
            Protection::Limits | Protection::OwnSession => true,
            Protection::OwnUser => geteuid().is_root(),
            Protection::SystemCalls => kernel::Calls::can_be_filtered(),
            other => level.enforces(other),
        })
    }
}

/// A closed place for one process, made ready before there is one.
#[derive(Debug)]
pub(crate) struct Cage {
    limits: Limits,
    /// The rules about files; `None` without a sandbox.
    files: Option<kernel::Files>,
    /// The filters of system calls; `None` where none are asked for.
    calls: Option<kernel::Calls>,
    drops_privileges: bool,
}

impl Cage {
    /// A cage with these confines.
    pub(crate) fn build(confines: &Confines) -> io::Result<Self> {
        let sandboxed = confines.settings.mode != Sandbox::Off;
        let files = || kernel::Files::new(&confines.reach);
        let filtered = confines.settings.asks_for(Protection::SystemCalls);
        Ok(Self {
            limits: Limits::new(&confines.settings),
            files: sandboxed.then(files).transpose()?,
            calls: filtered.then(kernel::Calls::new).transpose()?,
            drops_privileges: sandboxed,
        })
    }

    /// Lets the process that `command` starts begin inside.
    pub(crate) fn close_around(mut self, command: &mut Command) {
        begin_with(command, move || self.enter());
    }

    /// Confines the process that calls it. Makes system calls and nothing else.
    fn enter(&mut self) -> io::Result<()> {
        umask(Mode::RWXG | Mode::RWXO);
        self.limits.enter()?;
        if self.drops_privileges {
            kernel::drop_privileges()?;
        }
        self.files.as_mut().map_or(Ok(()), kernel::Files::enter)?;
        self.calls.as_ref().map_or(Ok(()), kernel::Calls::enter)
    }
}

/// Lets the process that `command` starts do `act` before its program begins. `act` makes system calls on values that were made before; it
/// takes no lock and asks for no memory.
#[expect(
    unsafe_code,
    reason = "the only way to do something between `fork` and `exec`"
)]
pub(super) fn begin_with(command: &mut Command, act: impl FnMut() -> io::Result<()> + Send + Sync + 'static) {
    // SAFETY: after `fork` of a program with threads only what is safe in a signal handler may be done, which `act` promises.
    unsafe {
        command.as_std_mut().pre_exec(act);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S82: also for a program that a package has put in the place of `python`, which does none of it by itself.
    #[tokio::test]
    async fn s82_whatever_is_started_has_private_files_and_leaves_no_memory_behind() {
        let mut confines = Confines::default();
        confines.settings.mode = Sandbox::Off;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "umask; ulimit -c"]);
        Cage::build(&confines).unwrap().close_around(&mut command);
        let told = command.output().await.unwrap();
        assert_eq!(String::from_utf8_lossy(&told.stdout), "0077\n0\n");
    }
}
