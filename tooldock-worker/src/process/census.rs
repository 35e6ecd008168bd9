//! How many processes there are below another one.

use std::{
    collections::{HashMap, HashSet},
    fs,
    sync::{LazyLock, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// How long one look is good for, so that many workers cost no more than one.
const GOOD_FOR: Duration = Duration::from_millis(500);

/// The children of each process, as they were a moment ago.
#[derive(Debug)]
struct Census {
    taken: Instant,
    children: HashMap<u32, Vec<u32>>,
}

static LAST: LazyLock<Mutex<Option<Census>>> = LazyLock::new(Mutex::default);

/// How many processes there are below `pid`, whatever session they are in. It blocks: call it where blocking is allowed.
pub(crate) fn count_below(pid: u32) -> usize {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last
        .as_ref()
        .is_none_or(|census| census.taken.elapsed() > GOOD_FOR)
    {
        *last = Some(Census::take());
    }
    last.as_ref().map_or(0, |census| census.below(pid))
}

impl Census {
    fn take() -> Self {
        let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            if let Some(parent) = read_parent(&stat) {
                children.entry(parent).or_default().push(pid);
            }
        }
        Self {
            taken: Instant::now(),
            children,
        }
    }

    fn below(&self, pid: u32) -> usize {
        let (mut open, mut seen) = (vec![pid], HashSet::new());
        while let Some(pid) = open.pop() {
            // Numbers may be given anew during the look, so that one is met twice.
            let children = self.children.get(&pid).into_iter().flatten();
            open.extend(children.filter(|child| seen.insert(**child)));
        }
        seen.len()
    }
}

/// Field 4 of a `stat` line; the second is a name in parentheses and may hold anything.
fn read_parent(stat: &str) -> Option<u32> {
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grandchildren_count_and_strangers_do_not() {
        let children = HashMap::from([(1, vec![2, 9]), (2, vec![3, 4]), (4, vec![5]), (5, vec![2])]);
        let taken = Instant::now();
        let census = Census { taken, children };
        assert_eq!((census.below(2), census.below(9), census.below(7)), (4, 0, 0));
        assert_eq!(read_parent("7 (a) b) S 12 7 7"), Some(12));
        assert_eq!(read_parent("7 (a"), None);
    }
}
