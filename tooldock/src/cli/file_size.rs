//! The limit of the system on the size of files.

use std::io;

use rustix::process::Signal;
use tokio::{
    runtime::Builder,
    signal::unix::{SignalKind, signal},
};

/// From now on a file that may not grow any further is an error for whoever writes it, as a full disk is, and does not end the program
/// (setrlimit(2), `RLIMIT_FSIZE`). Programs that it starts begin anew.
///
/// # Errors
/// What the system says.
pub(super) fn outlive() -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let _entered = runtime.enter();
    // What is caught once stays caught, also when nobody listens any more.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}
