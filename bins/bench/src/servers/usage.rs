//! What a process has used, as `/proc` tells.

use std::{fs, io};

/// Clock ticks a second in `/proc/<pid>/stat`; Linux reports them so on every architecture.
const TICKS: f64 = 100.0;

/// Processor seconds, user and system, since the process began.
pub(crate) fn cpu(pid: u32) -> io::Result<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    ticks(&text)
        .map(|ticks| ticks as f64 / TICKS)
        .ok_or_else(|| io::Error::other("/proc/<pid>/stat is not as expected"))
}

/// `utime` and `stime`. The name before them may hold anything, so fields are counted from its closing bracket.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11).map(str::parse::<u64>);
    Some(fields.next()?.ok()? + fields.next()?.ok()?)
}

/// Memory that the process has in use (resident set), in MiB.
pub(crate) fn memory(pid: u32) -> io::Result<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let kib = text.lines().find_map(|line| {
        let value = line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?;
        value.parse::<f64>().ok()
    });
    kib.map(|kib| kib / 1024.0)
        .ok_or_else(|| io::Error::other("/proc/<pid>/status is not as expected"))
}

/// The processes that `pid` has started and that still run.
pub(crate) fn children(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let tasks = fs::read_dir(format!("/proc/{pid}/task"));
    for task in tasks.into_iter().flatten().flatten() {
        let listed = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(
            listed
                .split_whitespace()
                .filter_map(|pid| pid.parse::<u32>().ok()),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_behind_any_name() {
        let stat = "7 (a) (b) S 1 2 3 4 5 6 7 8 9 10 31 11 0 0 20 0 1 0 99";
        assert_eq!(ticks(stat), Some(42));
        assert_eq!(ticks("7 (a)"), None);
    }

    #[test]
    fn this_process_uses_memory() {
        assert!(memory(std::process::id()).unwrap() > 0.1);
        assert!(cpu(std::process::id()).unwrap() >= 0.0);
    }
}
