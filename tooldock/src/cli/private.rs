//! Keeping the memory of a program to itself.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

/// From now on this process leaves no core file, and other processes of the same user can neither read its memory nor its
/// environment (prctl(2), `PR_SET_DUMPABLE`). Programs that it starts begin anew.
///
/// # Errors
/// What the system says; what was to be kept must then not be read.
pub(super) fn shut() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    Ok(setrlimit(Resource::Core, none)?)
}
