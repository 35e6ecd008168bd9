//! How long a request waited for its turn.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tooldock_engine::CallContext;

/// How long a request waited for its turn: an extension of its [`CallContext`].
///
/// An outer layer that wants to know puts one in and reads it afterwards, as [`Audited`](super::Audited) does;
/// [`Concurrency`](super::Concurrency) adds to it.
///
/// ```
/// use tooldock::layers::Queued;
/// use tooldock_engine::{CallContext, Caller};
/// let queued = Queued::default();
/// let cx = CallContext::new(Caller::local(), "demo".parse()?).with_extension(queued.clone());
/// // … serve the call with `cx` …
/// assert!(queued.get().is_zero());
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Queued(Arc<AtomicU64>);

impl Queued {
    /// The one that `cx` carries, which it is given if it has none.
    pub(super) fn of(cx: CallContext) -> (CallContext, Self) {
        match cx.extensions().get::<Self>().cloned() {
            Some(queued) => (cx, queued),
            None => {
                let queued = Self::default();
                (cx.with_extension(queued.clone()), queued)
            }
        }
    }

    /// How long it has waited so far, in steps of a microsecond.
    #[must_use]
    pub fn get(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }

    /// Adds to what the request of `cx` has waited, if somebody wants to know.
    pub(super) fn add(cx: &CallContext, waited: Duration) {
        if let Some(queued) = cx.extensions().get::<Self>() {
            let waited = u64::try_from(waited.as_micros()).unwrap_or(u64::MAX);
            queued.0.fetch_add(waited, Ordering::Relaxed);
        }
    }
}
