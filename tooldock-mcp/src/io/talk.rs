//! A conversation of lines while it goes on.

use std::{io, pin::pin};

use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture, stream::FuturesUnordered};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::mpsc,
    time::timeout,
};
use tooldock_engine::RawJson;

use super::{
    IoSettings,
    lines::{Frame, Lines, write_lines},
    running::Running,
};
use crate::{
    refusal::{Refusal, code},
    wire::{Message, Request},
};

/// Messages that may wait for the writer; whoever has another one waits.
const WAITING: usize = 64;

/// Who takes what the peer says.
pub(crate) trait Hear {
    /// Takes one line. Nothing else is read until it is done.
    async fn hear(&mut self, talk: &mut Talk, frame: Frame);

    /// Takes leave: the peer has closed its end, and what it asked for has been answered.
    async fn leave(&mut self) {}
}

/// A conversation while it goes on: what is said, and what runs.
pub(crate) struct Talk {
    out: mpsc::Sender<RawJson>,
    settings: IoSettings,
    /// Requests that are being answered.
    calls: Running,
    /// Subscriptions, which nobody waits for at the end.
    listens: Running,
    /// What is sent for as long as the peer is there.
    streams: FuturesUnordered<BoxFuture<'static, ()>>,
}

impl Talk {
    /// Lets `hear` take the lines of `reader` and writes what is said, until the peer closes its end.
    pub(crate) async fn carry(
        hear: impl Hear,
        reader: Lines<impl AsyncRead + Unpin>,
        writer: impl AsyncWrite + Unpin,
        settings: IoSettings,
    ) -> io::Result<()> {
        let (out, lines) = mpsc::channel(WAITING);
        let mut writing = pin!(write_lines(writer, lines));
        let talk = Self {
            out,
            settings,
            calls: Running::default(),
            listens: Running::default(),
            streams: FuturesUnordered::new(),
        };
        tokio::select! {
            read = talk.run(hear, reader) => read?,
            written = &mut writing => return written,
        }
        // A peer that does not read any more must not hold the end up.
        timeout(settings.drain, writing).await.unwrap_or(Ok(()))
    }

    async fn run(mut self, mut hear: impl Hear, mut lines: Lines<impl AsyncRead + Unpin>) -> io::Result<()> {
        loop {
            tokio::select! {
                frame = lines.next() => match frame? {
                    Some(frame) => hear.hear(&mut self, frame).await,
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
        hear.leave().await;
        Ok(())
    }

    /// Where messages to the peer go.
    pub(crate) fn out(&self) -> mpsc::Sender<RawJson> {
        self.out.clone()
    }

    pub(crate) async fn say(&mut self, message: RawJson) {
        // Without a reader the writer has ended, and with it the conversation.
        self.out.send(message).await.ok();
    }

    /// The refusal of one more request, if as many run as may.
    pub(crate) fn is_full(&self) -> Option<Refusal> {
        let most = self.settings.requests;
        (self.calls.len() + self.listens.len() >= most).then(|| {
            let text = format!(
                "{most} requests run already, the most that may on one connection; wait for one to end"
            );
            Refusal::bad(code::INTERNAL, text)
        })
    }

    /// Begins to answer `request`: what `delivery` does before it first waits is done on return.
    pub(crate) fn start(&mut self, request: &Request, delivery: impl Future<Output = ()> + Send + 'static) {
        let running = match &*request.method {
            "subscriptions/listen" => &mut self.listens,
            _ => &mut self.calls,
        };
        running.start(request.id.clone(), delivery);
    }

    /// Stops answering what `message` cancels.
    pub(crate) fn cancel(&mut self, message: &Message) {
        self.calls.cancel(message);
        self.listens.cancel(message);
    }

    /// Sends what `stream` does for as long as the peer is there.
    pub(crate) fn follow(&mut self, stream: impl Future<Output = ()> + Send + 'static) {
        self.streams.push(stream.boxed());
    }

    /// Ends what was followed.
    #[cfg(feature = "client")]
    pub(crate) fn follow_nothing(&mut self) {
        self.streams.clear();
    }
}
