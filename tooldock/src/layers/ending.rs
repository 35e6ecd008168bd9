//! The end of a request, told exactly once.

use tooldock_engine::{EngineReply, error::Result};

use super::{Outcome, record::reply_bytes};

/// Tells how a request ended when it is dropped: as it was [told](Self::with), or that it was abandoned.
pub(super) struct Ending<F: FnMut(Outcome, usize)> {
    outcome: Outcome,
    reply_bytes: usize,
    tell: F,
}

impl<F: FnMut(Outcome, usize)> Ending<F> {
    /// A request has begun; `tell` gets its outcome and the bytes of its reply.
    pub(super) fn new(tell: F) -> Self {
        Self {
            outcome: Outcome::Abandoned,
            reply_bytes: 0,
            tell,
        }
    }

    /// The request has ended with `result`.
    pub(super) fn with(mut self, result: Result<EngineReply>) -> Result<EngineReply> {
        self.outcome = Outcome::of(&result);
        self.reply_bytes = result.as_ref().map_or(0, reply_bytes);
        result
    }
}

impl<F: FnMut(Outcome, usize)> Drop for Ending<F> {
    fn drop(&mut self) {
        (self.tell)(self.outcome, self.reply_bytes);
    }
}
