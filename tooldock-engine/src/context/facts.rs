//! What becomes known of a call while it runs.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

/// What becomes known of a call while it runs, for whoever tells of it afterwards: every
/// [`CallContext`](super::CallContext) has them, and its clones share them.
///
/// Engines and layers add what they know; audit and metrics read it when the call has ended.
///
/// ```
/// use std::time::Duration;
/// use tooldock_engine::{CallContext, Caller};
/// let cx = CallContext::new(Caller::local(), "demo".parse()?);
/// cx.facts().add_processor(Duration::from_millis(5)); // an engine does this
/// assert_eq!(cx.facts().processor(), Duration::from_millis(5));
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Facts(Arc<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Microseconds.
    queued: AtomicU64,
    /// Microseconds.
    processor: AtomicU64,
    repaired: AtomicBool,
}

impl Facts {
    /// How long the call waited for its turn, in steps of a microsecond.
    #[must_use]
    pub fn queued(&self) -> Duration {
        Duration::from_micros(self.0.queued.load(Ordering::Relaxed))
    }

    /// Adds to what the call waited for its turn.
    pub fn add_queued(&self, waited: Duration) {
        add(&self.0.queued, waited);
    }

    /// How much processor time engines say that the call has used, in steps of a microsecond; zero where no engine knows.
    #[must_use]
    pub fn processor(&self) -> Duration {
        Duration::from_micros(self.0.processor.load(Ordering::Relaxed))
    }

    /// Adds to the processor time that the call has used.
    pub fn add_processor(&self, used: Duration) {
        add(&self.0.processor, used);
    }

    /// Whether the arguments of the call were repaired, so that the tool gets others than the caller sent.
    #[must_use]
    pub fn is_repaired(&self) -> bool {
        self.0.repaired.load(Ordering::Relaxed)
    }

    /// Notes that the arguments of the call were repaired.
    pub fn set_repaired(&self) {
        self.0.repaired.store(true, Ordering::Relaxed);
    }
}

fn add(sum: &AtomicU64, time: Duration) {
    let time = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    sum.fetch_add(time, Ordering::Relaxed);
}
