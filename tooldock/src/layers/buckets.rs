//! What is left of what may be used in a minute.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;
use tooldock_engine::{NamespaceName, ToolName, context::Principal};

/// The time in which a limit may be used up at once.
pub(super) const MINUTE: Duration = Duration::from_secs(60);
/// Counts that are kept; of more, those that are nearest to being whole again are forgotten.
const COUNTS: usize = 10_000;

/// Counts that are left when there were too many.
const KEPT: usize = COUNTS - COUNTS / 16;

/// Of whom or what use is counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Principal(Principal),
    Namespace(NamespaceName),
    Tool(NamespaceName, ToolName),
}

/// When each count is whole again: what is used moves that moment on by its share of the minute that the limit is for.
#[derive(Debug, Default)]
pub(super) struct Buckets(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts(HashMap<Key, Instant>);

impl Buckets {
    /// Takes from every one of `counts` its share of the minute, or from none of them. A share of nothing asks whether anything is left.
    ///
    /// # Errors
    /// The place of the one that has nothing left, and when it has.
    pub(super) fn take(&self, counts: &[(Key, Duration)]) -> Result<(), (usize, Duration)> {
        let now = Instant::now();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let moments: Vec<Instant> = counts
            .iter()
            .map(|(key, share)| kept.whole(key, now) + *share)
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

    /// Takes `share` of the minute from the count of `key`, also where less is left: it has been used already.
    pub(super) fn charge(&self, key: Key, share: Duration) {
        let now = Instant::now();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = kept.whole(&key, now) + share;
        if kept.0.len() >= COUNTS {
            kept.make_room(now);
        }
        kept.0.insert(key, moment);
    }
}

impl Counts {
    /// When the count of `key` is whole again.
    fn whole(&self, key: &Key, now: Instant) -> Instant {
        self.0.get(key).map_or(now, |whole| now.max(*whole))
    }

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
        let take = |name: &str| buckets.take(&[(one(name), MINUTE / 6)]);
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
        let both = [(one("ann"), MINUTE / 2), (one("bob"), MINUTE)];
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
            buckets.take(&[(one(&n.to_string()), MINUTE)]).unwrap();
            tokio::time::advance(Duration::from_micros(1)).await;
        }
        assert_eq!(kept(), COUNTS);
        buckets.take(&[(one("one more"), MINUTE)]).unwrap();
        assert_eq!(
            kept(),
            KEPT + 1,
            "room for many is made at once, as all are looked at for it"
        );
        assert!(
            buckets.take(&[(one("0"), MINUTE)]).is_ok(),
            "it was the nearest to being whole"
        );
        assert!(buckets.take(&[(one(&(COUNTS - 1).to_string()), MINUTE)]).is_err());
        for n in 0..3 * COUNTS {
            buckets.take(&[(one(&format!("more {n}")), MINUTE)]).unwrap();
            assert!(kept() <= COUNTS);
        }
        for n in 0..2 * COUNTS {
            buckets.charge(one(&format!("charged {n}")), MINUTE);
            assert!(kept() <= COUNTS);
        }
    }
}
