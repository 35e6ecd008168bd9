//! The timer on request heads: whoever has begun one must finish it soon.

use std::{
    future::pending,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::watch,
    time::{Instant, sleep_until},
};

/// What a connection is doing, as far as heads are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Between requests.
    Idle,
    /// A head has begun to arrive.
    Head(Instant),
    /// The head is complete.
    Request,
}

/// Knows since when a head is arriving. Clones watch one connection.
#[derive(Debug, Clone)]
pub(super) struct HeadClock(Arc<watch::Sender<Stage>>);

impl HeadClock {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(Stage::Idle)))
    }

    fn read(&self) {
        self.0.send_if_modified(|stage| {
            let begins = *stage == Stage::Idle;
            if begins {
                *stage = Stage::Head(Instant::now());
            }
            begins
        });
    }

    /// The head is complete; until the guard is dropped, what is read is no head.
    pub(super) fn complete(&self) -> InRequest {
        self.0.send_replace(Stage::Request);
        InRequest(self.clone())
    }

    /// Returns when a head has been arriving for `limit`.
    pub(super) async fn overdue(&self, limit: Duration) {
        let mut stages = self.0.subscribe();
        loop {
            let stage = *stages.borrow_and_update();
            let due = async {
                match stage {
                    Stage::Head(since) => sleep_until(since + limit).await,
                    Stage::Idle | Stage::Request => pending().await,
                }
            };
            tokio::select! {
                () = due => return,
                _ = stages.changed() => {}
            }
        }
    }
}

/// A request is being answered.
#[derive(Debug)]
pub(super) struct InRequest(HeadClock);

impl Drop for InRequest {
    fn drop(&mut self) {
        self.0.0.send_replace(Stage::Idle);
    }
}

/// A connection whose reads start the clock.
#[derive(Debug)]
pub(super) struct Timed<T> {
    pub(super) inner: T,
    pub(super) clock: HeadClock,
}

impl<T: AsyncRead + Unpin> AsyncRead for Timed<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.inner).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.clock.read();
        }
        result
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Timed<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(cx, parts)
    }
    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
