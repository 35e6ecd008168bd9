//! The first process of a container: it passes signals on, buries whoever is left to it, and ends as the gateway does.

use std::{
    env, io,
    os::unix::process::CommandExt as _,
    process::{Command, ExitCode},
};

use futures_util::{StreamExt as _, stream::SelectAll};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};
use tokio::signal::unix::{SignalKind, signal};

/// The number of the first process.
const FIRST: u32 = 1;
/// Signals that are passed on. SIGUSR2 is not: a gateway that is replaced ends, and the container would end with it.
const FORWARDED: [Signal; 5] = [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT, Signal::USR1];
/// Added to the number of the signal that ended the gateway, as shells do.
const BY_SIGNAL: i32 = 128;

/// Whether this process has the duties of the first one.
pub(super) fn is_first() -> bool {
    std::process::id() == FIRST
}

/// Runs the same command once more, as a child, until it ends; gives its exit status.
///
/// The first process inherits every process of its container that has lost its parent, also those that somebody else has started there.
/// The gateway kills what is left to it, so it must not be the first.
///
/// # Errors
/// When it cannot be started.
pub(super) fn stand_in() -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut ended = signal(SignalKind::child())?;
        let mut signals = SelectAll::new();
        for passed in FORWARDED {
            let stream = signal(SignalKind::from_raw(passed.as_raw()))?;
            signals.push(Box::pin(futures_util::stream::unfold(
                stream,
                move |mut stream| async move {
                    stream.recv().await?;
                    Some((passed, stream))
                },
            )));
        }
        let mut command = Command::new(env::current_exe()?);
        // In a group of its own, or a terminal would send it the signals that it is passed as well.
        let child = command.args(env::args_os().skip(1)).process_group(0).spawn()?;
        let child = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        loop {
            tokio::select! {
                _ = ended.recv() => {
                    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
                        if Some(pid) == child {
                            let by_signal = status.terminating_signal().map(|number| BY_SIGNAL + number);
                            let code = status.exit_status().or(by_signal).unwrap_or(1);
                            return Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)));
                        }
                    }
                }
                Some(signal) = signals.next() => {
                    if let Some(child) = child {
                        kill_process(child, signal).ok();
                    }
                }
            }
        }
    })
}
