//! The timer on request heads: whoever has begun one must finish it soon.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, sleep, sleep_until},
};

/// What a connection is doing, as far as heads are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Between requests, since then.
    Idle(Instant),
    /// A head has begun to arrive.
    Head(Instant),
    /// The head is complete, and so many guards say that what comes is no head.
    Request(usize),
}

/// Knows since when a head is arriving. Clones watch one connection.
///
/// Nobody is woken when a request comes or goes: the timer looks, at the earliest moment at which a head could be overdue.
#[derive(Debug, Clone)]
pub(super) struct HeadClock(Arc<Mutex<Stage>>);

impl HeadClock {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(Stage::Idle(Instant::now()))))
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) {
        let mut stage = self.stage();
        if matches!(*stage, Stage::Idle(_)) {
            *stage = Stage::Head(Instant::now());
        }
    }

    /// The head is complete; until the last guard is dropped, what is read is no head.
    pub(super) fn complete(&self) -> InRequest {
        let mut stage = self.stage();
        let others = match *stage {
            Stage::Request(count) => count,
            Stage::Idle(_) | Stage::Head(_) => 0,
        };
        *stage = Stage::Request(others + 1);
        drop(stage);
        InRequest(self.clone())
    }

    /// Whether nothing has been going on for `long`.
    pub(super) fn is_idle(&self, long: Duration) -> bool {
        matches!(*self.stage(), Stage::Idle(since) if since.elapsed() >= long)
    }

    /// Returns when a head has been arriving for `limit`.
    pub(super) async fn overdue(&self, limit: Duration) {
        loop {
            let stage = *self.stage();
            match stage {
                Stage::Head(since) if since.elapsed() >= limit => return,
                Stage::Head(since) => sleep_until(since + limit).await,
                // A head that begins meanwhile is due after this.
                Stage::Idle(_) | Stage::Request(_) => sleep(limit).await,
            }
        }
    }
}

/// A request is being answered.
#[derive(Debug)]
pub(super) struct InRequest(HeadClock);

impl Drop for InRequest {
    fn drop(&mut self) {
        let mut stage = self.0.stage();
        *stage = match *stage {
            Stage::Request(count) if count > 1 => Stage::Request(count - 1),
            _ => Stage::Idle(Instant::now()),
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The rest of a request that was refused may be read when the next one is answered already.
    #[tokio::test]
    async fn s21_a_request_goes_on_when_another_one_ends() {
        let clock = HeadClock::new();
        let (refused, next) = (clock.complete(), clock.complete());
        drop(refused);
        assert!(!clock.is_idle(Duration::ZERO));
        drop(next);
        assert!(clock.is_idle(Duration::ZERO));
    }
}
