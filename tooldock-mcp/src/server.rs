//! An MCP server over the engines of a gateway.

use std::{sync::Arc, time::Duration};

use tokio::time::timeout;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tooldock_engine::{EngineError, ErrorKind, Mounts};

use crate::{
    builder::ServerBuilder,
    connection::{Connection, ConnectionInfo},
    input::Desk,
    legacy::Conversations,
    model::Implementation,
    refusal::Refusal,
    session::{Session, SessionStore},
    settings::Settings,
    stream::EventLog,
    watch::Places,
};

/// An MCP server over the engines of a gateway: every namespace, every revision, every transport. Clones are one server.
///
/// ```
/// use std::sync::Arc;
/// use tooldock_engine::{Mount, StaticEngine};
/// use tooldock_mcp::Server;
/// let engine = Arc::new(StaticEngine::builder().build()?);
/// let server = Server::builder(Arc::new(Mount { namespace: "demo".parse()?, engine })).build();
/// let app: axum::Router = tooldock_mcp::router(server);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Server(Arc<Shared>);

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) mounts: Arc<dyn Mounts>,
    pub(crate) info: Implementation,
    pub(crate) settings: Settings,
    pub(crate) sessions: Arc<dyn SessionStore>,
    /// What was sent in them.
    pub(crate) events: Arc<dyn EventLog>,
    /// Every call that runs, whichever lifetime it has.
    pub(crate) calls: TaskTracker,
    /// Conversations over the transport of 2024-11-05.
    pub(crate) conversations: Arc<Conversations>,
    /// What waits for clients to come back.
    pub(crate) desk: Desk,
    /// How many streams each principal has open.
    pub(crate) places: Places,
    /// Fired when streams that answer no call have to end.
    pub(crate) closing: CancellationToken,
    /// Fired when calls have to end now.
    pub(crate) stop: CancellationToken,
}

/// How long calls may take to end once they are told to.
const END: Duration = Duration::from_secs(1);

impl Server {
    /// Starts a server over the namespaces of `mounts`.
    pub fn builder(mounts: Arc<dyn Mounts>) -> ServerBuilder {
        ServerBuilder::new(mounts)
    }

    pub(crate) fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.0
    }

    /// What is set about the server.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Where sessions are kept.
    #[must_use]
    pub fn sessions(&self) -> &Arc<dyn SessionStore> {
        &self.0.sessions
    }

    /// How many requests run, those included whose client is gone.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.0.calls.len()
    }

    /// How many streams are open that answer no call.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.0.places.taken()
    }

    /// A new conversation, which belongs to no session yet.
    #[must_use]
    pub fn connect(&self, info: ConnectionInfo) -> Connection {
        Connection::new(self.clone(), info, None)
    }

    /// One more exchange of a conversation that was opened earlier.
    #[must_use]
    pub fn resume(&self, info: ConnectionInfo, session: Arc<Session>) -> Connection {
        Connection::new(self.clone(), info, Some(session))
    }

    /// Refuses new work once the server is shutting down.
    pub(crate) fn admit(&self) -> Result<(), Refusal> {
        if !self.0.calls.is_closed() {
            return Ok(());
        }
        let text = "the server is shutting down; try again in a moment";
        Err(Refusal::from(&EngineError::new(ErrorKind::Unavailable, text)))
    }

    /// Takes no new work and ends the streams that answer no call: what waits for connections to end need not wait for those. Calls that
    /// run go on. [`shutdown`](Self::shutdown) does this first. Idempotent.
    pub fn close(&self) {
        self.0.calls.close();
        self.0.closing.cancel();
    }

    /// Takes no new work, waits up to `grace` for calls that run, then ends them and every session. Idempotent.
    ///
    /// # Cancel safety
    /// Dropping the future leaves the server closed for new work; calls that run go on.
    pub async fn shutdown(&self, grace: Duration) {
        self.close();
        if timeout(grace, self.0.calls.wait()).await.is_err() {
            self.0.stop.cancel();
            if timeout(END, self.0.calls.wait()).await.is_err() {
                tracing::warn!(calls = self.0.calls.len(), "calls did not end in time");
            }
        }
        self.0.sessions.clear().await;
    }
}
