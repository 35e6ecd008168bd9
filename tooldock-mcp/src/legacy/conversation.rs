//! One conversation: a connection, and the stream on which everything for its client travels.

use std::sync::Arc;

use futures_util::StreamExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tooldock_engine::{EngineError, ErrorKind, Mount, RawJson};

use crate::{
    connection::{Connection, Reply},
    era::Route,
    refusal::Refusal,
    session::{Owner, SessionId},
    wire::Message,
};

/// One conversation: a connection, and the stream on which everything for its client travels.
#[derive(Debug)]
pub(super) struct Conversation {
    pub(super) id: SessionId,
    pub(super) owner: Owner,
    pub(super) connection: Connection,
    outgoing: mpsc::Sender<RawJson>,
    room: Arc<Semaphore>,
    /// Fired when the stream is closed.
    pub(super) end: CancellationToken,
}

/// Answers that may wait for the stream to take them; more make their calls wait.
const WAITING: usize = 64;

impl Conversation {
    /// A conversation, and what is to be sent on its stream.
    pub(super) fn new(
        connection: Connection,
        owner: Owner,
    ) -> tooldock_engine::Result<(Arc<Self>, mpsc::Receiver<RawJson>)> {
        let (outgoing, messages) = mpsc::channel(WAITING);
        let room = connection.inner().server.settings().legacy_messages;
        let conversation = Self {
            id: SessionId::generate()?,
            owner,
            connection,
            outgoing,
            room: Arc::new(Semaphore::new(room)),
            end: CancellationToken::new(),
        };
        Ok((Arc::new(conversation), messages))
    }

    /// A place for one more message in work.
    ///
    /// # Errors
    /// 503 when there is none.
    pub(super) fn admit(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        self.room.clone().try_acquire_owned().map_err(|_| {
            let text = "as many messages of this client are in work as may be (MCP_LEGACY_MESSAGES); wait for answers";
            Refusal::from(&EngineError::new(ErrorKind::Overloaded, text))
        })
    }

    /// Answers a message on the stream.
    pub(super) async fn answer(&self, mount: Mount, route: Route, message: Message) {
        let answered = async {
            let reply = self.connection.serve(mount, route, message).await;
            if route == Route::Open
                && let Some(session) = self.connection.session()
            {
                self.connection.inner().server.sessions().open(session).await;
            }
            match reply {
                Reply::Nothing => {}
                Reply::One(answer) => self.send(answer.body).await,
                Reply::Stream(mut messages) => {
                    while let Some(message) = messages.next().await {
                        self.send(message).await;
                    }
                }
            }
        };
        // Without a stream nobody waits.
        self.end.run_until_cancelled(answered).await;
    }

    async fn send(&self, message: RawJson) {
        // It fails only when the stream is closed.
        self.outgoing.send(message).await.ok();
    }
}
