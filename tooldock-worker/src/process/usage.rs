//! What a process uses of the machine.

use std::{fs, time::Duration};

use rustix::param::{clock_ticks_per_second, page_size};

/// What a process uses of the machine, all its threads together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// Processor time that it has used since its start, in steps of 10 ms on every usual system.
    pub processor: Duration,
    /// Bytes of memory that it holds, those that it shares with other processes included.
    pub resident: u64,
}

impl Usage {
    /// The use of the process `pid`; `None` where there is none or the system does not say.
    #[must_use]
    pub fn of(pid: u32) -> Option<Self> {
        Self::read(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The fields 14, 15 and 24 of a `stat` line; the second is a name in parentheses and may hold anything.
    fn read(stat: &str) -> Option<Self> {
        let (_, fields) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let milliseconds = (field(14)? + field(15)?) * 1000 / clock_ticks_per_second().max(1);
        Some(Self {
            processor: Duration::from_millis(milliseconds),
            resident: field(24)? * page_size() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_use_is_found_behind_any_name() {
        let stat = "7 (a) b) 1) S 1 7 7 0 -1 4194304 1 0 0 0 12 30 0 0 20 0 1 0 5 4096 7 9";
        let usage = Usage::read(stat).unwrap();
        let milliseconds = 42 * 1000 / clock_ticks_per_second();
        assert_eq!(usage.processor, Duration::from_millis(milliseconds));
        assert_eq!(usage.resident, 7 * page_size() as u64);
        assert_eq!(Usage::read("7 (a) S 1"), None);
        assert_eq!(Usage::read(""), None);
        assert!(Usage::of(std::process::id()).unwrap().resident > 100_000);
    }
}
