//! The clock of a call: it stands still while the call waits for its client.

use std::{
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

/// Measures how long a call has run, not counting the time in which it asked its client something.
///
/// Clones are one clock.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap().block_on(async {
/// use std::time::Duration;
/// let clock = tooldock_engine::context::Clock::new();
/// let pause = clock.pause();
/// tokio::time::advance(Duration::from_secs(60)).await; // somebody fills in a form
/// drop(pause);
/// assert_eq!(clock.elapsed(), Duration::ZERO);
/// # });
/// ```
#[derive(Debug, Clone)]
pub struct Clock(Arc<Face>);

/// What the clones share. Every call has one and hardly any stops it, so it is small.
#[derive(Debug)]
struct Face {
    reading: Mutex<Reading>,
    /// Told whenever the clock stops or goes on.
    changed: Notify,
}

#[derive(Debug, Clone, Copy)]
struct Reading {
    started: Instant,
    /// Time stood still so far.
    stood: Duration,
    /// Questions that are open, and since when there is one.
    open: usize,
    since: Instant,
}

impl Reading {
    fn elapsed(&self, now: Instant) -> Duration {
        let end = if self.open > 0 { self.since } else { now };
        end.saturating_duration_since(self.started)
            .saturating_sub(self.stood)
    }
}

impl Clock {
    /// A clock that starts now.
    #[must_use]
    pub fn new() -> Self {
        let now = Instant::now();
        let reading = Reading {
            started: now,
            stood: Duration::ZERO,
            open: 0,
            since: now,
        };
        Self(Arc::new(Face {
            reading: Mutex::new(reading),
            changed: Notify::new(),
        }))
    }

    fn reading(&self) -> MutexGuard<'_, Reading> {
        self.0.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Reading)) {
        change(&mut self.reading());
        self.0.changed.notify_waiters();
    }

    /// How long the call has run.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed_at(Instant::now())
    }

    /// How long the call has run at `now`, which is no earlier than the clock was stopped or went on last: for who has looked at the time
    /// already.
    #[must_use]
    pub fn elapsed_at(&self, now: Instant) -> Duration {
        self.reading().elapsed(now)
    }

    /// Stops the clock until the guard is dropped. Guards may overlap.
    #[must_use = "the clock goes on when the guard is dropped"]
    pub fn pause(&self) -> Pause {
        self.change(|reading| {
            if reading.open == 0 {
                reading.since = Instant::now();
            }
            reading.open += 1;
        });
        Pause(self.clone())
    }

    /// Whether the clock stands still right now.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.reading().open > 0
    }

    /// Waits until the clock stands still (`true`) or goes (`false`).
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn until_paused(&self, paused: bool) {
        loop {
            let mut changed = pin!(self.0.changed.notified());
            changed.as_mut().enable();
            if self.is_paused() == paused {
                return;
            }
            changed.await;
        }
    }

    /// Waits until the call has run for `limit`.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn run_out(&self, limit: Duration) {
        loop {
            let mut changed = pin!(self.0.changed.notified());
            changed.as_mut().enable();
            let reading = *self.reading();
            let now = Instant::now();
            let elapsed = reading.elapsed(now);
            if elapsed >= limit {
                return;
            }
            let left = limit - elapsed;
            tokio::select! {
                () = sleep_until(now + left), if reading.open == 0 => {}
                () = changed => {}
            }
        }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

/// Keeps a [`Clock`] still.
#[derive(Debug)]
pub struct Pause(Clock);

impl Drop for Pause {
    fn drop(&mut self) {
        self.0.change(|reading| {
            reading.open -= 1;
            if reading.open == 0 {
                reading.stood += Instant::now().saturating_duration_since(reading.since);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_limit_does_not_count_pauses() {
        let clock = Clock::new();
        let begin = Instant::now();
        let pausing = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let (first, second) = (clock.pause(), clock.pause());
            clock.until_paused(true).await;
            tokio::time::sleep(Duration::from_secs(100)).await;
            drop(first);
            assert!(clock.is_paused());
            drop(second);
            clock.until_paused(false).await;
        };
        tokio::join!(clock.run_out(Duration::from_secs(3)), pausing);
        assert_eq!(begin.elapsed(), Duration::from_secs(103));
    }
}
