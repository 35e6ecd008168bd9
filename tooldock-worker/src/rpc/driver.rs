//! The task that moves the bytes of one connection.

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};

use super::{End, hub::Hub, lines::Lines};

/// Moves the bytes of one connection. [`run`](Self::run) it on a task of your own.
#[derive(Debug)]
#[must_use = "a connection stands still until its driver runs"]
pub(crate) struct Driver<R, W> {
    pub(super) lines: Lines<R>,
    pub(super) writer: W,
    pub(super) hub: Arc<Hub>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Driver<R, W> {
    /// Reads and writes until the connection ends, and says why it did. Requests that are open then stay open until
    /// [`Connection::end`](super::Connection::end) tells them what happened.
    ///
    /// # Cancel safety
    /// Dropping the future ends the connection.
    pub(crate) async fn run(self) -> End {
        let Self {
            mut lines,
            writer,
            hub,
        } = self;
        let outbox = hub.outbox.clone();
        let read = async {
            loop {
                if let Err(end) = lines.next().await.and_then(|line| hub.receive(&line)) {
                    return end;
                }
            }
        };
        tokio::select! {
            end = read => end,
            error = outbox.drain(writer) => End::Failed(error),
            () = outbox.overflowed() => End::Unread,
        }
    }
}
