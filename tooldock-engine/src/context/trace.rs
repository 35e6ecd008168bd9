//! The trace a call belongs to.

use std::sync::Arc;

/// W3C trace context as it arrived, to be handed on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceContext {
    /// `traceparent`.
    pub parent: Option<Arc<str>>,
    /// `tracestate`.
    pub state: Option<Arc<str>>,
}
