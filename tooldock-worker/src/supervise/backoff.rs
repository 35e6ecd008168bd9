//! When a worker that ended is started again.

use std::{
    collections::VecDeque,
    hash::{BuildHasher as _, RandomState},
    time::Duration,
};

use tokio::time::Instant;

const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(30);
/// A worker that lived so long is healthy; what was before is forgotten.
const HEALTHY: Duration = Duration::from_secs(60);
/// More exits than this within [`HEALTHY`] are a crash loop.
const EXITS: usize = 5;

/// What to do after an exit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    /// How long to wait before the next start.
    pub wait: Duration,
    /// Whether this is a crash loop: the next start is a trial.
    pub failed: bool,
}

/// Counts exits and tells how long to wait: 250 ms doubling to 30 s, with up to 20 % on top so that many do not start at once.
#[derive(Debug)]
pub(super) struct Backoff {
    exits: VecDeque<Instant>,
    next: Duration,
    jitter: RandomState,
}

impl Backoff {
    pub(super) fn new() -> Self {
        Self {
            exits: VecDeque::new(),
            next: FIRST,
            jitter: RandomState::new(),
        }
    }

    /// Notes an exit after a life of `lived`.
    pub(super) fn exited(&mut self, now: Instant, lived: Duration) -> Verdict {
        if lived >= HEALTHY {
            self.exits.clear();
            self.next = FIRST;
        }
        self.exits.push_back(now);
        self.exits.retain(|exit| now.duration_since(*exit) < HEALTHY);
        // A trial that failed within a crash loop keeps it one, though its exits are far apart.
        let failed = self.exits.len() > EXITS || self.next >= LONGEST;
        let wait = if failed { LONGEST } else { self.next };
        self.next = if failed {
            LONGEST
        } else {
            (self.next * 2).min(LONGEST)
        };
        let share = u32::try_from(self.jitter.hash_one(self.exits.len()) % 201).unwrap_or_default();
        Verdict {
            wait: wait + wait * share / 1000,
            failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(wait: Duration, base: Duration) -> bool {
        (base..=base + base / 5).contains(&wait)
    }

    #[test]
    fn the_wait_doubles_and_a_crash_loop_is_called_one() {
        let (mut backoff, mut now) = (Backoff::new(), Instant::now());
        for step in 0..5 {
            let verdict = backoff.exited(now, Duration::ZERO);
            assert!(
                !verdict.failed && within(verdict.wait, FIRST * (1 << step)),
                "{step}: {verdict:?}"
            );
            now += verdict.wait;
        }
        for _ in 0..3 {
            let verdict = backoff.exited(now, Duration::ZERO);
            assert!(verdict.failed && within(verdict.wait, LONGEST), "{verdict:?}");
            now += verdict.wait;
        }
    }

    /// F30, R2: whether it ends at once or a little after it was ready, a worker is started about a dozen times in two minutes at the
    /// most, and is called failed within the first one.
    #[test]
    fn f30_r2_a_worker_that_keeps_ending_is_started_a_dozen_times_in_two_minutes() {
        for lived in [50, 2000].map(Duration::from_millis) {
            let (mut backoff, begin) = (Backoff::new(), Instant::now());
            let (mut now, mut starts, mut failed) = (begin, 0, None);
            while now - begin < Duration::from_secs(120) {
                starts += 1;
                now += lived;
                let verdict = backoff.exited(now, lived);
                failed = failed.or_else(|| verdict.failed.then_some(now - begin));
                now += verdict.wait;
            }
            assert!(
                (8..=12).contains(&starts),
                "{starts} starts after lives of {lived:?}"
            );
            assert!(failed.is_some_and(|after| after < HEALTHY), "{failed:?}");
        }
    }

    #[test]
    fn a_minute_of_health_starts_over() {
        let (mut backoff, now) = (Backoff::new(), Instant::now());
        for _ in 0..8 {
            backoff.exited(now, Duration::ZERO);
        }
        let verdict = backoff.exited(now + HEALTHY, HEALTHY);
        assert!(!verdict.failed && within(verdict.wait, FIRST), "{verdict:?}");
    }
}
