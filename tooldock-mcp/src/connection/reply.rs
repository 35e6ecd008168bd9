//! What a connection gives back for a message.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::{Stream, stream::BoxStream};
use tooldock_engine::RawJson;

/// What a connection gives back for a message.
#[derive(Debug)]
pub enum Reply {
    /// The message wants no answer.
    Nothing,
    /// The answer.
    One(Answer),
    /// Notes about the request, then its answer, which is the last item.
    Stream(ReplyStream),
}

/// A response as it travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The JSON-RPC response; an array of them answers a batch.
    pub body: RawJson,
    /// The status it has over HTTP; 4xx means that nothing was done.
    pub status: u16,
}

/// Notes about a request, then its answer, which is the last item; or what the server sends on its own.
///
/// Dropping it ends a call of the modern era and leaves one of the handshake era running.
pub struct ReplyStream(BoxStream<'static, RawJson>);

impl ReplyStream {
    pub(crate) fn new(stream: impl Stream<Item = RawJson> + Send + 'static) -> Self {
        Self(Box::pin(stream))
    }
}

impl Stream for ReplyStream {
    type Item = RawJson;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<RawJson>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for ReplyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReplyStream")
    }
}
