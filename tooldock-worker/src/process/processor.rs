//! How much processor time a process has used.

use std::fs;

/// Ticks of processor time (10 ms on every usual system) that all threads of `pid` have used; `None` where the system does not
/// say.
pub(crate) fn processor_ticks(pid: u32) -> Option<u64> {
    read_ticks(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The fields 14 and 15 of a `stat` line; the second is a name in parentheses and may hold anything.
fn read_ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut ticks = fields.split(' ').skip(11).map(str::parse::<u64>);
    let (user, system) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_found_behind_any_name() {
        let stat = "7 (a) b) 1) S 1 7 7 0 -1 4194304 1 0 0 0 12 30 0 0 20 0 1 0 5 6 7";
        assert_eq!(read_ticks(stat), Some(42));
        assert_eq!(read_ticks("7 (a) S 1"), None);
        assert_eq!(read_ticks(""), None);
    }
}
