//! Serving a conversation over a pair of byte streams.

use std::{io, pin::pin, time::Duration};

use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture, stream::FuturesUnordered};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::mpsc,
    time::timeout,
};
use tooldock_engine::RawJson;
use tower_service::Service as _;

use super::{
    lines::{Frame, Lines, write_lines},
    running::Running,
};
use crate::{
    connection::{Connection, Reply, ReplyStream},
    refusal::{Refusal, code},
    wire::Message,
};

/// Messages that may wait for the writer; whoever has another one waits.
const WAITING: usize = 64;

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
    let (out, lines) = mpsc::channel(WAITING);
    let mut writing = pin!(write_lines(writer, lines));
    let frames = Lines::new(reader, connection.inner().server.settings().message_bytes);
    let talk = Talk {
        connection,
        out,
        settings,
        calls: Running::default(),
        listens: Running::default(),
        streams: FuturesUnordered::new(),
        watches: false,
    };
    tokio::select! {
        read = talk.run(frames) => read?,
        written = &mut writing => return written,
    }
    // A peer that does not read any more must not hold the end up.
    timeout(settings.drain, writing).await.unwrap_or(Ok(()))
}

/// The conversation while it goes on.
struct Talk {
    connection: Connection,
    out: mpsc::Sender<RawJson>,
    settings: IoSettings,
    /// Requests that are being answered.
    calls: Running,
    /// Subscriptions, which nobody waits for at the end.
    listens: Running,
    /// What is sent for as long as the peer is there.
    streams: FuturesUnordered<BoxFuture<'static, ()>>,
    watches: bool,
}

impl Talk {
    async fn run<R: AsyncRead + Unpin>(mut self, mut frames: Lines<R>) -> io::Result<()> {
        loop {
            tokio::select! {
                frame = frames.next() => match frame? {
                    Some(frame) => self.take(frame).await,
                    None => break,
                },
                Some(()) = self.calls.next() => {}
                Some(()) = self.listens.next() => {}
                Some(()) = self.streams.next() => {}
            }
        }
        drop((self.streams, self.listens));
        let calls = async { while self.calls.next().await.is_some() {} };
        if timeout(self.settings.drain, calls).await.is_err() {
            tracing::warn!("calls did not end in time after the client had gone");
        }
        Ok(())
    }

    async fn take(&mut self, frame: Frame) {
        let message = match frame {
            Frame::Text(text) => self.connection.read(text).map_err(|answer| answer.body),
            Frame::TooLong => {
                let bytes = self.connection.inner().server.settings().message_bytes;
                let text = format!("a message may have {bytes} bytes (MAX_BODY_BYTES)");
                Err(Refusal::bad(code::INVALID_REQUEST, text).answer(None).body)
            }
        };
        match message {
            Ok(message)
                if self.calls.len() + self.listens.len() >= self.settings.requests
                    && message.id().is_some() =>
            {
                let text = format!(
                    "{} requests run already, the most that may on one connection; wait for one to end",
                    self.settings.requests
                );
                let refusal = Refusal::bad(code::INTERNAL, text);
                self.say(refusal.answer(message.id()).body).await;
            }
            Ok(message) => self.answer(message).await,
            Err(refusal) => self.say(refusal).await,
        }
    }

    /// Starts to answer. What opens a session is answered before anything else is read, and so is what wants no answer; everything else
    /// begins in its order, so that a message that cancels a call finds it.
    async fn answer(&mut self, message: Message) {
        let reply = self.connection.call(message.clone());
        let out = self.out.clone();
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
                self.watch();
            }
            Message::Request(request) if &*request.method == "subscriptions/listen" => {
                self.listens.start(request.id, delivery);
            }
            Message::Request(request) => self.calls.start(request.id, delivery),
            message => {
                delivery.await;
                self.calls.cancel(&message);
                self.listens.cancel(&message);
            }
        }
    }

    /// Sends what the server says on its own, once there is a session.
    fn watch(&mut self) {
        if self.watches {
            return;
        }
        if let Ok(messages) = self.connection.watch() {
            self.watches = true;
            self.streams.push(deliver(messages, self.out.clone()).boxed());
        }
    }

    async fn say(&mut self, message: RawJson) {
        // Without a reader the writer has ended, and with it the conversation.
        self.out.send(message).await.ok();
    }
}

async fn deliver(mut messages: ReplyStream, out: mpsc::Sender<RawJson>) {
    while let Some(message) = messages.next().await {
        if out.send(message).await.is_err() {
            return;
        }
    }
}
