//! Which processes live, and whose children they are.

use std::fs;

/// Whether there is such a process that is not just waiting to be buried.
#[must_use]
pub fn lives(pid: u64) -> bool {
    stat(pid).is_some_and(|fields| fields[0] != "Z")
}

/// The parent of a process.
#[must_use]
pub fn parent(pid: u64) -> Option<u64> {
    stat(pid)?[1].parse().ok()
}

/// The processes that the process `pid` has started or taken in.
#[must_use]
pub fn children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let lists: Vec<String> = lists.collect();
    let pids = lists.iter().flat_map(|line| line.split_whitespace());
    pids.filter_map(|pid| pid.parse().ok()).collect()
}

/// The workers of the core `pid`, and what stands above them.
#[must_use]
pub fn workers(pid: u32) -> Vec<u32> {
    // What they are called in their command lines.
    const WORKER: &[u8] = b"--namespace\0";
    let mut below = children(pid);
    below.extend(below.clone().into_iter().flat_map(children));
    let line = |pid: &u32| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    below.retain(|pid| line(pid).windows(WORKER.len()).any(|part| part == WORKER));
    below
}

/// What the system tells of a process, from its state on; its name before that may hold anything.
fn stat(pid: u64) -> Option<Vec<String>> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = line.rsplit_once(") ")?;
    Some(fields.split(' ').map(str::to_owned).collect())
}
