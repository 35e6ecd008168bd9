//! What is known of a conversation before its first message.

use http::HeaderMap;
use tooldock_engine::{
    CallContext, Caller, NamespaceName,
    context::{RequestId, TraceContext},
};

/// What is known of a conversation before its first message.
///
/// ```
/// use tooldock_engine::Caller;
/// use tooldock_mcp::ConnectionInfo;
/// let info = ConnectionInfo::new(Caller::local(), "demo".parse()?);
/// assert!(info.streams);
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ConnectionInfo {
    /// Who is at the other end.
    pub caller: Caller,
    /// Whose tools are served.
    pub namespace: NamespaceName,
    /// The id under which logs tell of it.
    pub request_id: Option<RequestId>,
    /// The trace it belongs to, unless a message says otherwise.
    pub trace: TraceContext,
    /// Headers that mirror parts of the message; none on a transport without headers.
    pub headers: Option<HeaderMap>,
    /// Whether a reply may be a stream. Without it, calls have no notes.
    pub streams: bool,
}

impl ConnectionInfo {
    /// A conversation of `caller` about `namespace` that may have streams.
    #[must_use]
    pub fn new(caller: Caller, namespace: NamespaceName) -> Self {
        Self {
            caller,
            namespace,
            request_id: None,
            trace: TraceContext::default(),
            headers: None,
            streams: true,
        }
    }

    /// The context of what happens in it, with no way back to the client.
    pub(crate) fn context(&self, namespace: &NamespaceName) -> CallContext {
        let cx = CallContext::new(self.caller.clone(), namespace.clone()).with_trace(self.trace.clone());
        match &self.request_id {
            Some(id) => cx.with_request_id(id.0.clone()),
            None => cx,
        }
    }
}
