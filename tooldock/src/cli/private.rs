//! Keeping the memory of a program to itself.

use std::io;

use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

/// From now on this process leaves no core file, and other processes of the same user can neither read its memory nor its
/// environment (prctl(2), `PR_SET_DUMPABLE`).
pub(super) fn shut() -> io::Result<()> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    )?;
    Ok(())
}
