//! Where events are kept for clients that come back.

use std::fmt;

use async_trait::async_trait;
use tooldock_engine::RawJson;

use super::EventId;
use crate::session::SessionId;

/// A message that was sent on a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// The message.
    pub message: RawJson,
}

/// Where events are kept, within bounds, for clients that come back after their connection broke.
///
/// # Contract
/// `testing::event_log_contract` checks it:
///
/// - What comes back for an id was sent later on the same stream of the same session, in order, and nothing else does.
/// - The oldest events make room: of the session for the session's limits, of all sessions for the limit of all. An event that alone
///   is beyond the limit of a session is not kept and makes none go.
/// - A session that is forgotten leaves nothing behind.
#[async_trait]
pub trait EventLog: fmt::Debug + Send + Sync + 'static {
    /// Keeps an event of `session`. Its number is greater than those of earlier events on its stream.
    ///
    /// # Cancel safety
    /// Whether it is kept is open when the future is dropped.
    async fn append(&self, session: &SessionId, event: Event);

    /// What is kept of the stream of `last` behind it, in order.
    ///
    /// # Cancel safety
    /// Safe.
    async fn after(&self, session: &SessionId, last: EventId) -> Vec<Event>;

    /// Forgets all that is kept of a session. Does not wait: a store elsewhere does it in its own time.
    fn forget(&self, session: &SessionId);
}
