//! Where sessions are kept.

use std::{fmt, sync::Arc};

use async_trait::async_trait;

use super::{Owner, Session};

/// Where sessions are kept.
///
/// # Contract
/// `testing::session_store_contract` checks it:
///
/// - A session is found under its id by its [`Owner`] and by nobody else; a wrong owner changes nothing, not even the time of its last use.
/// - A session that is closed, has expired or made room for another is [ended](Session::end) and not found again.
/// - A session is idle from its last request on or from its [last use](Session::last_use), whichever was later, and never while it
///   [is busy](Session::is_busy).
#[async_trait]
pub trait SessionStore: fmt::Debug + Send + Sync + 'static {
    /// Keeps a session, making room for it if necessary.
    ///
    /// # Cancel safety
    /// Whether it is kept is open when the future is dropped.
    async fn open(&self, session: Arc<Session>);

    /// The session called `id`, if it is `owner`'s and open. This counts as a use.
    ///
    /// # Cancel safety
    /// Safe.
    async fn find(&self, id: &str, owner: &Owner) -> Option<Arc<Session>>;

    /// Ends the session called `id` if it is `owner`'s; says whether there was one.
    ///
    /// # Cancel safety
    /// Whether it is ended is open when the future is dropped.
    async fn close(&self, id: &str, owner: &Owner) -> bool;

    /// Ends every session of this process.
    ///
    /// # Cancel safety
    /// May be repeated.
    async fn clear(&self);

    /// How many sessions are kept.
    ///
    /// # Cancel safety
    /// Safe.
    async fn count(&self) -> usize;
}
