//! The end of a request, told exactly once.

use tooldock_engine::{EngineReply, error::Result};

use super::Outcome;

/// Tells how a request ended: as it was [told](Self::with), or, when it is dropped before, that it was abandoned.
pub(super) struct Ending<F: FnOnce(Outcome, Option<&EngineReply>)>(Option<F>);

impl<F: FnOnce(Outcome, Option<&EngineReply>)> Ending<F> {
    /// A request has begun; `tell` gets its outcome, and its reply if there is one.
    pub(super) fn new(tell: F) -> Self {
        Self(Some(tell))
    }

    /// The request has ended with `result`.
    pub(super) fn with(mut self, result: Result<EngineReply>) -> Result<EngineReply> {
        if let Some(tell) = self.0.take() {
            tell(Outcome::of(&result), result.as_ref().ok());
        }
        result
    }
}

impl<F: FnOnce(Outcome, Option<&EngineReply>)> Drop for Ending<F> {
    fn drop(&mut self) {
        if let Some(tell) = self.0.take() {
            tell(Outcome::Abandoned, None);
        }
    }
}
