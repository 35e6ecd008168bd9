//! Carrying a conversation from a pair of byte streams to a server.

use std::io;

use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{mpsc, watch},
};
use tooldock_engine::{RawJson, json::ScanLimits};

use super::{Upstream, missed::Kinds, subscription};
use crate::{
    io::{Frame, Hear, IoSettings, Lines, Talk},
    refusal::{Refusal, code},
    wire::{Message, MessageId},
};

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
    let bridge = Bridge {
        upstream,
        kinds: Kinds::default(),
    };
    Talk::carry(bridge, Lines::new(reader, MESSAGE_BYTES), writer, settings).await
}

/// The side that carries on.
struct Bridge {
    upstream: Upstream,
    /// Of which lists the server tells changes.
    kinds: Kinds,
}

impl Hear for Bridge {
    async fn hear(&mut self, talk: &mut Talk, frame: Frame) {
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
            Err(refusal) => return talk.say(refusal).await,
        };
        // Each message of a batch is carried for itself: only one revision knows batches, and it takes single messages as well.
        let parts = match Message::read(&json) {
            Ok(Message::Batch(parts)) => parts,
            Ok(message) => return self.carry(talk, json, message).await,
            Err(fault) => {
                return talk
                    .say(Refusal::from(&fault).answer(fault.id.as_ref()).body)
                    .await;
            }
        };
        for part in parts {
            match Message::read(&part) {
                Ok(Message::Batch(_)) => {
                    talk.say(refuse(code::INVALID_REQUEST, "a batch holds messages".to_owned()))
                        .await;
                }
                Ok(message) => self.carry(talk, part, message).await,
                Err(fault) => {
                    talk.say(Refusal::from(&fault).answer(fault.id.as_ref()).body)
                        .await;
                }
            }
        }
    }

    async fn leave(&mut self) {
        self.upstream.leave().await;
    }
}

impl Bridge {
    async fn carry(&mut self, talk: &mut Talk, json: RawJson, message: Message) {
        let Message::Request(request) = &message else {
            return self.tell(talk, json, &message).await;
        };
        let id = request.id.clone();
        if let Some(refusal) = talk.is_full() {
            return talk.say(refusal.answer(Some(&id)).body).await;
        }
        let (upstream, out) = (self.upstream.clone(), talk.out());
        match &*request.method {
            "initialize" => {
                // Nothing else may be sent before the session is known.
                let answer = match upstream.send(json).await {
                    Ok(incoming) => incoming.answer().await,
                    Err(error) => Err(error),
                };
                let answer = answer.unwrap_or_else(|error| error.answer(Some(&id)));
                self.kinds = Kinds::offered(&answer);
                talk.say(answer).await;
            }
            "subscriptions/listen" => talk.start(request, subscription::carry(upstream, json, id, out)),
            _ => talk.start(request, carry(upstream, json, id, out)),
        }
    }

    /// Sends what wants no answer, in its order.
    async fn tell(&mut self, talk: &mut Talk, json: RawJson, message: &Message) {
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
            talk.cancel(message);
        }
        if method == "notifications/initialized" && !claims {
            talk.follow_nothing();
            talk.follow(pass_on(self.upstream.clone(), talk.out()));
            talk.follow(tell_renewals(self.upstream.renewals(), self.kinds, talk.out()));
        }
    }
}

/// Passes on what the server says on its own.
async fn pass_on(upstream: Upstream, out: mpsc::Sender<RawJson>) {
    let mut watching = upstream.watch();
    while let Some(message) = watching.next().await {
        if out.send(message).await.is_err() {
            return;
        }
    }
}

/// Tells the client after each session that had to be opened again what may have changed meanwhile.
async fn tell_renewals(mut renewals: watch::Receiver<u64>, kinds: Kinds, out: mpsc::Sender<RawJson>) {
    while renewals.changed().await.is_ok() {
        for notice in kinds.notices(None) {
            if out.send(notice).await.is_err() {
                return;
            }
        }
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
