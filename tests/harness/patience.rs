//! Waiting for something that becomes true.

use std::time::{Duration, Instant};

/// Asks `found` until it finds something, and tells how long that took.
///
/// # Panics
///
/// When nothing is found within `limit`; `what` is named.
pub fn eventually<T>(what: &str, limit: Duration, mut found: impl FnMut() -> Option<T>) -> (T, Duration) {
    let begin = Instant::now();
    loop {
        if let Some(value) = found() {
            return (value, begin.elapsed());
        }
        assert!(begin.elapsed() < limit, "{what} did not happen within {limit:?}");
        std::thread::park_timeout(Duration::from_millis(10));
    }
}
