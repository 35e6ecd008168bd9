//! Carrying a conversation from a pair of byte streams to a server.

use std::{io, pin::pin};

use futures_util::{StreamExt as _, future::BoxFuture, stream::FuturesUnordered};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::mpsc,
    time::timeout,
};
use tooldock_engine::{RawJson, json::ScanLimits};

use super::{Upstream, missed::Kinds, subscription};
use crate::{
    io::{Frame, IoSettings, Lines, Running, write_lines},
    refusal::{Refusal, code},
    wire::{Message, MessageId},
};

/// Messages that may wait for the writer.
const WAITING: usize = 64;
/// Bytes of one message of the client.
const MESSAGE_BYTES: usize = 64 << 20;

/// Carries the messages of a client, one a line, from `reader` to the server and back to `writer`, in both directions and both eras,
/// until the client closes its end.
///
/// A server that cannot be reached is told of by an error in answer to each request, and reached again once it runs. After a session
/// had to be opened again, or a subscription, the client is told that lists may have changed.
///
/// # Errors
/// When the streams fail: the client is gone.
///
/// # Cancel safety
/// Dropping the future ends the conversation; calls of a session may go on at the server.
pub async fn bridge(
    upstream: Upstream,
    reader: impl AsyncRead + Unpin,
    writer: impl AsyncWrite + Unpin,
    settings: IoSettings,
) -> io::Result<()> {
    let (out, lines) = mpsc::channel(WAITING);
    let mut writing = pin!(write_lines(writer, lines));
    let bridge = Bridge {
        upstream,
        out,
        settings,
        calls: Running::default(),
        listens: Running::default(),
        streams: FuturesUnordered::new(),
        kinds: Kinds::default(),
    };
    tokio::select! {
        read = bridge.run(Lines::new(reader, MESSAGE_BYTES)) => read?,
        written = &mut writing => return written,
    }
    timeout(settings.drain, writing).await.unwrap_or(Ok(()))
}

struct Bridge {
    upstream: Upstream,
    out: mpsc::Sender<RawJson>,
    settings: IoSettings,
    calls: Running,
    /// Subscriptions, which nobody waits for at the end.
    listens: Running,
    /// What the server says on its own.
    streams: FuturesUnordered<BoxFuture<'static, ()>>,
    /// Of which lists the server tells changes.
    kinds: Kinds,
}

impl Bridge {
    async fn run<R: AsyncRead + Unpin>(mut self, mut frames: Lines<R>) -> io::Result<()> {
        let mut renewals = self.upstream.renewals();
        loop {
            tokio::select! {
                frame = frames.next() => match frame? {
                    Some(frame) => self.take(frame).await,
                    None => break,
                },
                Some(()) = self.calls.next() => {}
                Some(()) = self.listens.next() => {}
                Some(()) = self.streams.next() => {}
                Ok(()) = renewals.changed() => {
                    for notice in self.kinds.notices(None) {
                        self.say(notice).await;
                    }
                }
            }
        }
        drop((self.streams, self.listens));
        let calls = async { while self.calls.next().await.is_some() {} };
        timeout(self.settings.drain, calls).await.ok();
        self.upstream.leave().await;
        Ok(())
    }

    async fn take(&mut self, frame: Frame) {
        let refuse = |code, text: String| Refusal::bad(code, text).answer(None).body;
        let json = match frame {
            Frame::Text(text) => RawJson::scan(text, ScanLimits::RESULT)
                .map_err(|fault| refuse(code::PARSE, fault.to_string())),
            Frame::TooLong => Err(refuse(
                code::INVALID_REQUEST,
                format!("a message may have {MESSAGE_BYTES} bytes"),
            )),
        };
        let json = match json {
            Ok(json) => json,
            Err(refusal) => return self.say(refusal).await,
        };
        match Message::read(&json) {
            // Each message of a batch is carried for itself: only one revision knows batches, and it takes single messages as well.
            Ok(Message::Batch(parts)) => {
                for part in parts {
                    match Message::read(&part) {
                        Ok(Message::Batch(_)) => {
                            self.say(refuse(code::INVALID_REQUEST, "a batch holds messages".to_owned()))
                                .await;
                        }
                        Ok(message) => self.carry(part, message).await,
                        Err(fault) => {
                            self.say(Refusal::from(&fault).answer(fault.id.as_ref()).body)
                                .await;
                        }
                    }
                }
            }
            Ok(message) => self.carry(json, message).await,
            Err(fault) => {
                self.say(Refusal::from(&fault).answer(fault.id.as_ref()).body)
                    .await;
            }
        }
    }

    async fn carry(&mut self, json: RawJson, message: Message) {
        let Message::Request(request) = &message else {
            return self.tell(json, &message).await;
        };
        let id = request.id.clone();
        if self.calls.len() + self.listens.len() >= self.settings.requests {
            let text = format!(
                "{} requests run already, the most that may; wait for one to end",
                self.settings.requests
            );
            let refusal = Refusal::bad(code::INTERNAL, text).answer(Some(&id));
            return self.say(refusal.body).await;
        }
        let (upstream, out) = (self.upstream.clone(), self.out.clone());
        match &*request.method {
            "initialize" => {
                // Nothing else may be sent before the session is known.
                let answer = match upstream.send(json).await {
                    Ok(incoming) => incoming.answer().await,
                    Err(error) => Err(error),
                };
                let answer = answer.unwrap_or_else(|error| error.answer(Some(&id)));
                self.kinds = Kinds::offered(&answer);
                self.say(answer).await;
            }
            "subscriptions/listen" => {
                self.listens
                    .start(id.clone(), subscription::carry(upstream, json, id, out));
            }
            _ => self.calls.start(id.clone(), carry(upstream, json, id, out)),
        }
    }

    /// Sends what wants no answer, in its order.
    async fn tell(&mut self, json: RawJson, message: &Message) {
        let claims = message.params().is_some_and(|params| params.meta().is_claim());
        let method = match message {
            Message::Notification(told) => &*told.method,
            _ => "",
        };
        // In the modern era the end of the exchange is what cancels (2026-07-28, Cancellation), so there is nothing to send.
        let cancels = method == "notifications/cancelled";
        let wanted = !cancels || (!claims && self.upstream.agreed().is_some());
        if wanted && let Err(error) = self.upstream.send(json).await {
            tracing::warn!(%error, method, "a message did not reach the server");
        }
        if cancels {
            self.calls.cancel(message);
            self.listens.cancel(message);
        }
        if method == "notifications/initialized" && !claims {
            let (mut watching, out) = (self.upstream.watch(), self.out.clone());
            let watch = async move {
                while let Some(message) = watching.next().await {
                    if out.send(message).await.is_err() {
                        return;
                    }
                }
            };
            self.streams.clear();
            self.streams.push(Box::pin(watch));
        }
    }

    async fn say(&mut self, message: RawJson) {
        // Without a reader the writer has ended, and with it the conversation.
        self.out.send(message).await.ok();
    }
}

/// Carries a request to the server, and back what it says.
async fn carry(upstream: Upstream, json: RawJson, id: MessageId, out: mpsc::Sender<RawJson>) {
    let mut incoming = match upstream.send(json).await {
        Ok(incoming) => incoming,
        Err(error) => return drop(out.send(error.answer(Some(&id))).await),
    };
    while let Some(message) = incoming.next().await {
        let message = message.unwrap_or_else(|error| error.answer(Some(&id)));
        if out.send(message).await.is_err() {
            return;
        }
    }
}
