//! Whether anybody uses a namespace.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep};

/// How many requests run, and since when none does.
#[derive(Debug)]
pub(crate) struct Activity {
    zero: Instant,
    open: AtomicUsize,
    /// When the last request ended, in milliseconds from `zero`.
    last: AtomicU64,
}

impl Activity {
    pub(super) fn new() -> Self {
        Self {
            zero: Instant::now(),
            open: AtomicUsize::new(0),
            last: AtomicU64::new(0),
        }
    }

    /// A request begins; it ends when what is returned is dropped.
    pub(super) fn enter(self: &Arc<Self>) -> Busy {
        self.open.fetch_add(1, Ordering::Relaxed);
        Busy(self.clone())
    }

    /// Returns when there has been no request for `limit`; never without a limit.
    pub(super) async fn idle(&self, limit: Option<Duration>) {
        let Some(limit) = limit else {
            return std::future::pending().await;
        };
        loop {
            let left = limit.saturating_sub(self.quiet());
            if left.is_zero() {
                return;
            }
            sleep(left).await;
        }
    }

    /// For how long there has been no request.
    fn quiet(&self) -> Duration {
        if self.open.load(Ordering::Relaxed) > 0 {
            return Duration::ZERO;
        }
        let last = Duration::from_millis(self.last.load(Ordering::Relaxed));
        self.zero.elapsed().saturating_sub(last)
    }
}

/// A request that runs.
#[derive(Debug)]
pub(crate) struct Busy(Arc<Activity>);

impl Drop for Busy {
    fn drop(&mut self) {
        let now = self.0.zero.elapsed().as_millis();
        self.0
            .last
            .store(u64::try_from(now).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_namespace_is_idle_when_nothing_has_run_for_a_while() {
        let (activity, limit) = (Arc::new(Activity::new()), Duration::from_secs(10));
        let begin = Instant::now();
        activity.idle(Some(limit)).await;
        assert_eq!(begin.elapsed(), limit);
        let busy = activity.enter();
        timeout(limit * 100, activity.idle(Some(limit)))
            .await
            .expect_err("a request runs");
        drop(busy);
        let begin = Instant::now();
        activity.idle(Some(limit)).await;
        assert_eq!(begin.elapsed(), limit);
        timeout(limit * 100, activity.idle(None))
            .await
            .expect_err("nobody asks for it");
    }
}
