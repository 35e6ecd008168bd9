//! What travels on the stream of a conversation.

use std::{future::pending, sync::Arc};

use tokio::{
    runtime::Handle,
    sync::mpsc,
    time::{Instant, sleep_until},
};
use tooldock_engine::RawJson;

use super::conversation::Conversation;
use crate::watch::{Notices, Place};

/// What travels on the stream of a conversation: answers, and what the server sends on its own once there is a session. When it is
/// dropped, the conversation is over.
pub(super) struct Outgoing {
    conversation: Arc<Conversation>,
    answers: mpsc::Receiver<RawJson>,
    /// The place of the stream, until the notices have it.
    place: Option<Place>,
    notices: Option<Notices>,
    /// When a session must be open.
    until: Instant,
}

impl Outgoing {
    pub(super) fn new(
        conversation: Arc<Conversation>,
        answers: mpsc::Receiver<RawJson>,
        place: Place,
    ) -> Self {
        let limits = conversation.connection.inner().server.settings().sessions;
        Self {
            conversation,
            answers,
            place: Some(place),
            notices: None,
            until: Instant::now() + limits.uninitialized,
        }
    }

    /// The next message; nothing once the session has ended, the server is closing, or no session was opened in time.
    pub(super) async fn next(&mut self) -> Option<RawJson> {
        let connection = &self.conversation.connection;
        // The answer to `initialize` has been sent when a session is found here.
        if connection.session().is_some()
            && let Some(place) = self.place.take()
        {
            self.notices = Some(connection.notices_at(place).ok()?);
        }
        let waits = self.notices.is_none();
        let notices = async {
            match &mut self.notices {
                Some(notices) => notices.next().await,
                None => pending().await,
            }
        };
        let closing = &connection.inner().server.shared().closing;
        tokio::select! {
            biased;
            answer = self.answers.recv() => answer,
            notice = notices => notice,
            () = closing.cancelled(), if waits => None,
            () = sleep_until(self.until), if waits => None,
        }
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        let conversation = self.conversation.clone();
        conversation.end.cancel();
        let server = conversation.connection.inner().server.clone();
        server.shared().conversations.remove(&conversation.id);
        let Some(session) = conversation.connection.session() else {
            return;
        };
        session.end();
        // The store would notice in time that the session has ended; there is no need to keep it until then.
        if let Ok(runtime) = Handle::try_current() {
            let calls = server.shared().calls.clone();
            let close = async move {
                server
                    .sessions()
                    .close(session.id().as_str(), session.owner())
                    .await
            };
            calls.spawn_on(close, &runtime);
        }
    }
}
