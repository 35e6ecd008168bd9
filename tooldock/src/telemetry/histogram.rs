//! How long things took, counted by size.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// The upper ends of the buckets, in seconds; behind the last there is one without an end.
pub(super) const ENDS: [f64; 15] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
];

/// Times by size. Adding one allocates nothing and waits for nobody.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    buckets: [AtomicU64; ENDS.len() + 1],
    microseconds: AtomicU64,
}

impl Histogram {
    pub(super) fn add(&self, time: Duration) {
        let seconds = time.as_secs_f64();
        let bucket = ENDS.partition_point(|end| *end < seconds);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(microseconds(time), Ordering::Relaxed);
    }

    /// How many were in each bucket or one before it, the last being all; and their sum in seconds.
    pub(super) fn read(&self) -> ([u64; ENDS.len() + 1], f64) {
        let mut sum = 0;
        let counts = self.buckets.each_ref().map(|bucket| {
            sum += bucket.load(Ordering::Relaxed);
            sum
        });
        (counts, seconds(&self.microseconds))
    }
}

/// Whole microseconds of a time.
pub(super) fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A sum of microseconds in seconds.
pub(super) fn seconds(microseconds: &AtomicU64) -> f64 {
    Duration::from_micros(microseconds.load(Ordering::Relaxed)).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_counts_in_its_bucket_and_all_behind() {
        let histogram = Histogram::default();
        for milliseconds in [0, 1, 2, 60_000, 61_000] {
            histogram.add(Duration::from_millis(milliseconds));
        }
        let (counts, sum) = histogram.read();
        assert_eq!(
            (counts[0], counts[1], counts[13], counts[14], counts[15]),
            (2, 3, 3, 4, 5)
        );
        assert!((sum - 121.003).abs() < 1e-9);
    }
}
