//! What is left of the calls that may be made.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;
use tooldock_engine::{NamespaceName, ToolName, context::Principal};

/// The time in which a limit may be used up at once.
const MINUTE: Duration = Duration::from_secs(60);
/// Counts that are kept; of more, those that are nearest to being whole again are forgotten.
const COUNTS: usize = 10_000;

/// Counts that are left when there were too many.
const KEPT: usize = COUNTS - COUNTS / 16;

/// Of whom or what calls are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Principal(Principal),
    Namespace(NamespaceName),
    Tool(NamespaceName, ToolName),
}

/// When each count is whole again: a call moves that moment on by its share of a minute.
#[derive(Debug, Default)]
pub(super) struct Buckets(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts(HashMap<Key, Instant>);

impl Buckets {
    /// Takes a call from every one of `counts`, each with what it may have in a minute, or from none of them.
    ///
    /// # Errors
    /// The place of the one that has nothing left, and when it has.
    pub(super) fn take(&self, counts: &[(Key, u32)]) -> Result<(), (usize, Duration)> {
        let now = Instant::now();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let after = |whole: Option<&Instant>, calls: u32| {
            whole.map_or(now, |whole| now.max(*whole)) + MINUTE / calls.max(1)
        };
        let moments: Vec<Instant> = counts
            .iter()
            .map(|(key, calls)| after(kept.0.get(key), *calls))
            .collect();
        if let Some((place, moment)) = moments
            .iter()
            .enumerate()
            .find(|(_, moment)| **moment - now > MINUTE)
        {
            return Err((place, *moment - now - MINUTE));
        }
        if kept.0.len() + counts.len() > COUNTS {
            kept.make_room(now);
        }
        for ((key, _), moment) in counts.iter().zip(moments) {
            kept.0.insert(key.clone(), moment);
        }
        Ok(())
    }
}

impl Counts {
    /// Forgets those that are whole again, and of the others those that are nearest to it. All of them are looked at, so room is made for a
    /// sixteenth at once: the next look comes after as many new ones.
    fn make_room(&mut self, now: Instant) {
        self.0.retain(|_, whole| *whole > now);
        if let Some(surplus) = self.0.len().checked_sub(KEPT).filter(|surplus| *surplus > 0) {
            let mut moments: Vec<Instant> = self.0.values().copied().collect();
            let last = *moments.select_nth_unstable(surplus - 1).1;
            self.0.retain(|_, whole| *whole > last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str) -> Key {
        Key::Principal(Principal::new(name))
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_may_be_used_at_once_and_comes_back_evenly() {
        let buckets = Buckets::default();
        let take = |name: &str| buckets.take(&[(one(name), 6)]);
        for _ in 0..6 {
            assert_eq!(take("ann"), Ok(()));
        }
        assert_eq!(take("ann"), Err((0, Duration::from_secs(10))));
        assert_eq!(take("bob"), Ok(()));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(take("ann"), Ok(()));
        assert!(take("ann").is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_refused_takes_nothing() {
        let buckets = Buckets::default();
        let both = [(one("ann"), 2), (one("bob"), 1)];
        assert_eq!(buckets.take(&both), Ok(()));
        assert_eq!(buckets.take(&both), Err((1, Duration::from_secs(60))));
        assert_eq!(buckets.take(&both[..1]), Ok(()));
        assert!(buckets.take(&both[..1]).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn the_number_of_counts_is_bounded() {
        let buckets = Buckets::default();
        let kept = || buckets.0.lock().unwrap().0.len();
        for n in 0..COUNTS {
            buckets.take(&[(one(&n.to_string()), 1)]).unwrap();
            tokio::time::advance(Duration::from_micros(1)).await;
        }
        assert_eq!(kept(), COUNTS);
        buckets.take(&[(one("one more"), 1)]).unwrap();
        assert_eq!(
            kept(),
            KEPT + 1,
            "room for many is made at once, as all are looked at for it"
        );
        assert!(
            buckets.take(&[(one("0"), 1)]).is_ok(),
            "it was the nearest to being whole"
        );
        assert!(buckets.take(&[(one(&(COUNTS - 1).to_string()), 1)]).is_err());
        for n in 0..3 * COUNTS {
            buckets.take(&[(one(&format!("more {n}")), 1)]).unwrap();
            assert!(kept() <= COUNTS);
        }
    }
}
