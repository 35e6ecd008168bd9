//! Processes that fell to this program because whatever had started them is gone.

use std::{fs, io};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};
use tokio::{
    runtime::Runtime,
    signal::unix::{SignalKind, signal},
};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

/// Takes in every descendant that loses its parent, and kills it.
///
/// Workers clear up after themselves; this is for what is left when somebody kills the warden of a worker. The program's own
/// children stay in its session, and a worker starts in another one, so whoever is in another session is a stray. A program that
/// embeds the gateway may have such children of its own, so it is not done there.
///
/// # Errors
/// When the system does not allow it.
pub(super) fn adopt(runtime: &Runtime) -> io::Result<AbortOnDropHandle<()>> {
    set_child_subreaper(Some(getpid()))?;
    let home = session("self");
    let _entered = runtime.enter();
    let mut ended = signal(SignalKind::child())?;
    // A child that ends leaves its own children to us before we are told, so each round sees what the last one brought.
    let sweeping = TaskTracker::new().spawn(async move {
        while ended.recv().await.is_some() {
            let foreign = |pid: &Pid| session(&pid.as_raw_nonzero().to_string()) != home;
            for stray in children().into_iter().filter(foreign) {
                if waitpid(Some(stray), WaitOptions::NOHANG).is_ok_and(|ended| ended.is_none()) {
                    tracing::warn!(
                        pid = stray.as_raw_nonzero(),
                        "a process outlived its worker and is killed"
                    );
                    kill_process(stray, Signal::KILL).ok();
                }
            }
        }
    });
    Ok(AbortOnDropHandle::new(sweeping))
}

/// The children of all threads; none where the system does not say.
fn children() -> Vec<Pid> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let lists: Vec<String> = lists.collect();
    let numbers = lists.iter().flat_map(|list| list.split_whitespace());
    numbers
        .filter_map(|number| Pid::from_raw(number.parse().ok()?))
        .collect()
}

/// The session of a process, as far as it can be told; not a [`Pid`], because that of a process outside the container is 0.
fn session(pid: &str) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before the fields may hold anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(3)?.parse().ok()
}
