//! A limit on how long a peer may take nothing of what is written to it.

use std::{
    future::Future as _,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

/// Knows since when a peer takes nothing. Clones watch one connection.
#[derive(Debug, Clone, Default)]
pub(super) struct Stall(Arc<Mutex<Option<Instant>>>);

impl Stall {
    /// Whether nothing has been taken for `long`.
    pub(super) fn lasts(&self, long: Duration) -> bool {
        self.since().is_some_and(|since| since.elapsed() >= long)
    }

    fn since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream whose writes fail once the peer has taken nothing for `limit`.
#[derive(Debug)]
pub(super) struct StallLimit<T> {
    inner: T,
    limit: Duration,
    stall: Stall,
    /// Runs while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<T> StallLimit<T> {
    pub(super) fn new(inner: T, limit: Duration, stall: Stall) -> Self {
        Self {
            inner,
            limit,
            stall,
            waiting: None,
        }
    }

    /// What a write gave, or the error that ends a wait that has been too long.
    fn judge<R>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<R>>) -> Poll<io::Result<R>> {
        if written.is_ready() {
            if self.waiting.take().is_some() {
                *self.stall.since() = None;
            }
            return written;
        }
        let limit = self.limit;
        let waiting = self.waiting.get_or_insert_with(|| {
            *self.stall.since() = Some(Instant::now());
            Box::pin(sleep(limit))
        });
        waiting.as_mut().poll(cx).map(|()| {
            let text = format!(
                "the client took nothing for {} s (`WRITE_TIMEOUT_SECONDS`)",
                limit.as_secs_f64()
            );
            Err(io::Error::new(io::ErrorKind::TimedOut, text))
        })
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for StallLimit<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.judge(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, parts);
        self.judge(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        self.judge(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for StallLimit<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buffer)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _, duplex},
        time::timeout,
    };

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn s36_a_peer_that_takes_nothing_ends_the_write() {
        let (near, _far) = duplex(16);
        let stall = Stall::default();
        let mut near = StallLimit::new(near, LIMIT, stall.clone());
        let begin = Instant::now();
        let error = near.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!((error.kind(), begin.elapsed()), (io::ErrorKind::TimedOut, LIMIT));
        assert!(stall.lasts(LIMIT));
        assert!(error.to_string().contains("WRITE_TIMEOUT_SECONDS"), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn s36_a_peer_that_takes_a_little_is_slow_and_nothing_more() {
        let (near, mut far) = duplex(16);
        let stall = Stall::default();
        let mut near = StallLimit::new(near, LIMIT, stall.clone());
        let reading = async {
            let mut taken = [0; 16];
            for _ in 0..4 {
                // Nothing else is going on, so the paused clock jumps here.
                timeout(LIMIT - Duration::from_secs(1), std::future::pending::<()>())
                    .await
                    .ok();
                far.read_exact(&mut taken).await.unwrap();
            }
        };
        let (written, ()) = tokio::join!(near.write_all(&[0; 64]), reading);
        written.unwrap();
        assert!(!stall.lasts(Duration::ZERO));
    }
}
