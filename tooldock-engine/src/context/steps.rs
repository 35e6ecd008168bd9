//! What a call went through, for whoever traces it.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;

use super::CallContext;

/// Steps of one call that are kept; what comes after them is left out.
const MOST: usize = 64;

/// What a call went through, with times: taken down for whoever has given them to its [`CallContext`].
///
/// Whoever wants to know puts one in and reads it when the call has ended; layers and engines that know of a step begin it. Where nobody
/// wants to know, that costs a look.
///
/// ```
/// use tooldock_engine::{CallContext, Caller, context::Steps};
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let steps = Steps::default();
/// let cx = CallContext::new(Caller::local(), "demo".parse()?).with_steps(steps.clone());
/// let step = Steps::begin(&cx, "lookup");
/// // … look it up …
/// drop(step);
/// assert_eq!(steps.take()[0].name, "lookup");
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone, Default)]
pub struct Steps(Arc<Mutex<Vec<Step>>>);

/// One step of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What it was.
    pub name: &'static str,
    /// When it began.
    pub began: Instant,
    /// When it ended.
    pub ended: Instant,
}

/// A step that goes on until it is dropped.
#[derive(Debug)]
#[must_use = "the step ends when this is dropped"]
pub struct OpenStep(Option<(Steps, &'static str, Instant)>);

impl Steps {
    /// Begins a step of the call of `cx`, if somebody wants to know.
    pub fn begin(cx: &CallContext, name: &'static str) -> OpenStep {
        OpenStep(cx.steps().map(|steps| (steps.clone(), name, Instant::now())))
    }

    /// The steps that have ended since the last time, in the order of their ends.
    #[must_use]
    pub fn take(&self) -> Vec<Step> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for OpenStep {
    fn drop(&mut self) {
        let Some((steps, name, began)) = self.0.take() else {
            return;
        };
        let ended = Instant::now();
        let mut steps = steps.0.lock().unwrap_or_else(PoisonError::into_inner);
        if steps.len() < MOST {
            steps.push(Step { name, began, ended });
        }
    }
}
