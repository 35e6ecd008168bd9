//! How much processor time a call has used.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::CallContext;

/// How much processor time an engine says that a call has used: an extension of its [`CallContext`].
///
/// Whoever wants to know puts one in and reads it when the call has ended; engines that know add to it.
///
/// ```
/// use std::time::Duration;
/// use tooldock_engine::{CallContext, Caller, context::ProcessorTime};
/// let used = ProcessorTime::default();
/// let cx = CallContext::new(Caller::local(), "demo".parse()?).with_extension(used.clone());
/// ProcessorTime::add(&cx, Duration::from_millis(5)); // an engine does this
/// assert_eq!(used.get(), Duration::from_millis(5));
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ProcessorTime(Arc<AtomicU64>);

impl ProcessorTime {
    /// How much it is so far, in steps of a microsecond; zero where no engine knows.
    #[must_use]
    pub fn get(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }

    /// Adds to what the call of `cx` has used, if somebody wants to know.
    pub fn add(cx: &CallContext, used: Duration) {
        if let Some(processor) = cx.extensions().get::<Self>() {
            let used = u64::try_from(used.as_micros()).unwrap_or(u64::MAX);
            processor.0.fetch_add(used, Ordering::Relaxed);
        }
    }
}
