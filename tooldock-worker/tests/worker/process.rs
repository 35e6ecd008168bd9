//! Looking at the processes that a worker is made of, and the tools that make trouble with them.

use std::time::Duration;

use rustix::process::{Pid, test_kill_process};
use tokio::time::timeout;
use tooldock_worker::WorkerEngine;

use crate::shop::until;

/// Longer than anything here takes; what is waited for so long never comes.
pub(crate) const LONG: Duration = Duration::from_secs(20);
/// What must come soon: a test that waits in vain fails.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    timeout(LONG, future).await.expect("nothing hangs")
}

/// Tools that wait, die and start processes.
pub(crate) const SLOW: &str = "
import asyncio, os, subprocess, time
from tooldock import tool

@tool
async def wait(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return 'woke'

@tool
def pid() -> int:
    return os.getpid()

@tool
async def leave(status: int) -> str:
    os.write(2, b'these are my last words\\n')
    os._exit(status)

@tool
def child() -> int:
    return subprocess.Popen(['sleep', '600']).pid

@tool
def fork() -> int:
    pid = os.fork()
    if pid == 0:
        time.sleep(600)
    return pid
";

pub(crate) fn process(number: u32) -> Pid {
    Pid::from_raw(i32::try_from(number).unwrap()).unwrap()
}

/// Whether there is such a process that is not just waiting to be reaped.
pub(crate) fn lives(pid: Pid) -> bool {
    let zombie = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        stat.is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
    };
    test_kill_process(pid).is_ok() && !zombie()
}

pub(crate) async fn serving_again(engine: &WorkerEngine, old: Option<u32>) {
    let again = until(|| engine.pid().is_some() && engine.pid() != old);
    timeout(LONG, again).await.expect("a new process serves");
}
