//! Serving a conversation over a pair of byte streams.

use std::{io, time::Duration};

use futures_util::StreamExt as _;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::mpsc,
};
use tooldock_engine::RawJson;
use tower_service::Service as _;

use super::{
    lines::{Frame, Lines},
    talk::{Hear, Talk},
};
use crate::{
    connection::{Connection, Reply, ReplyStream},
    refusal::{Refusal, code},
    wire::Message,
};

/// The bounds of [`serve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct IoSettings {
    /// How long calls may go on once the client has closed its end: 30 s.
    pub drain: Duration,
    /// Requests that may run at once: 1,000.
    pub requests: usize,
}

impl Default for IoSettings {
    fn default() -> Self {
        Self {
            drain: Duration::from_secs(30),
            requests: 1000,
        }
    }
}

/// Serves `connection` to the peer at the other end of `reader` and `writer`, one message a line, until the peer closes its end.
///
/// Both eras are spoken, as the peer likes. Requests run at once; a peer that does not read what is written is not read from either.
/// A line that is no message, or longer than the server's [`message_bytes`](crate::Settings::message_bytes), is answered with an error.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// use std::sync::Arc;
/// use tooldock_engine::{Caller, Mount, StaticEngine};
/// use tooldock_mcp::{ConnectionInfo, Server, io};
///
/// let engine = Arc::new(StaticEngine::builder().build()?);
/// let server = Server::builder(Arc::new(Mount { namespace: "demo".parse()?, engine })).build();
/// let connection = server.connect(ConnectionInfo::new(Caller::local(), "demo".parse()?));
/// let request = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#; // before `initialize`, so it is refused
/// let mut answers = Vec::new();
/// io::serve(connection, &request[..], &mut answers, io::IoSettings::default()).await?;
/// assert!(answers.starts_with(br#"{"jsonrpc":"2.0","id":1,"error":"#) && answers.ends_with(b"\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
///
/// # Errors
/// When the streams fail: the peer is gone.
///
/// # Cancel safety
/// Dropping the future ends the conversation and what runs in it.
pub async fn serve(
    connection: Connection,
    reader: impl AsyncRead + Unpin,
    writer: impl AsyncWrite + Unpin,
    settings: IoSettings,
) -> io::Result<()> {
    let lines = Lines::new(reader, connection.inner().server.settings().message_bytes);
    let served = Served {
        connection,
        watches: false,
    };
    Talk::carry(served, lines, writer, settings).await
}

/// The side that answers.
struct Served {
    connection: Connection,
    watches: bool,
}

impl Hear for Served {
    async fn hear(&mut self, talk: &mut Talk, frame: Frame) {
        let message = match frame {
            Frame::Text(text) => self.connection.read(text).map_err(|answer| answer.body),
            Frame::TooLong => {
                let bytes = self.connection.inner().server.settings().message_bytes;
                let text = format!("a message may have {bytes} bytes (MAX_BODY_BYTES)");
                Err(Refusal::bad(code::INVALID_REQUEST, text).answer(None).body)
            }
        };
        let refusal = match message {
            Ok(message) => match talk.is_full().filter(|_| message.id().is_some()) {
                None => return self.answer(talk, message).await,
                Some(refusal) => refusal.answer(message.id()).body,
            },
            Err(refusal) => refusal,
        };
        talk.say(refusal).await;
    }
}

impl Served {
    /// Starts to answer. What opens a session is answered before anything else is read, and so is what wants no answer; everything else
    /// begins in its order, so that a message that cancels a call finds it.
    async fn answer(&mut self, talk: &mut Talk, message: Message) {
        let reply = self.connection.call(message.clone());
        let out = talk.out();
        let delivery = async move {
            match reply.await.unwrap_or_else(|never| match never {}) {
                Reply::Nothing => {}
                Reply::One(answer) => drop(out.send(answer.body).await),
                Reply::Stream(messages) => deliver(messages, out).await,
            }
        };
        match message {
            Message::Request(request) if &*request.method == "initialize" => {
                delivery.await;
                self.watch(talk);
            }
            Message::Request(request) => talk.start(&request, delivery),
            message => {
                delivery.await;
                talk.cancel(&message);
            }
        }
    }

    /// Sends what the server says on its own, once there is a session.
    fn watch(&mut self, talk: &mut Talk) {
        if !self.watches
            && let Ok(messages) = self.connection.watch()
        {
            self.watches = true;
            talk.follow(deliver(messages, talk.out()));
        }
    }
}

async fn deliver(mut messages: ReplyStream, out: mpsc::Sender<RawJson>) {
    while let Some(message) = messages.next().await {
        if out.send(message).await.is_err() {
            return;
        }
    }
}
