//! How long calls took.

use std::time::Duration;

/// The durations of all calls, shortest first.
#[derive(Debug)]
pub(crate) struct Latencies(Vec<Duration>);

impl Latencies {
    /// Puts them in order.
    pub(crate) fn new(mut seen: Vec<Duration>) -> Self {
        seen.sort_unstable();
        Self(seen)
    }

    /// How many calls there were.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// What so many of a thousand calls did not exceed, in milliseconds.
    pub(crate) fn per_mille(&self, share: usize) -> f64 {
        let index = (self.0.len() * share / 1000).min(self.0.len().saturating_sub(1));
        self.0.get(index).map_or(0.0, |seen| seen.as_secs_f64() * 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_thousand() {
        let latencies = Latencies::new((1..=1000).rev().map(Duration::from_millis).collect());
        assert_eq!(latencies.per_mille(500), 501.0);
        assert_eq!(latencies.per_mille(999), 1000.0);
        assert_eq!(Latencies::new(Vec::new()).per_mille(500), 0.0);
    }
}
