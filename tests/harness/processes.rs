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

/// What the system tells of a process, from its state on; its name before that may hold anything.
fn stat(pid: u64) -> Option<Vec<String>> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = line.rsplit_once(") ")?;
    Some(fields.split(' ').map(str::to_owned).collect())
}
