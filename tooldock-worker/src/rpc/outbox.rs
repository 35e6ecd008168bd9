//! Frames on their way to the worker. Each leaves as soon as it can, so that the worker is not idle while others are made ready; those that
//! wait meanwhile are joined into one write.

use std::{
    io,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::{
    io::{AsyncWrite, AsyncWriteExt as _},
    sync::Notify,
};

/// Bytes that may wait before further calls wait too.
const FULL: usize = 32 << 20;
/// Bytes that may wait before the connection is given up. What grows beyond [`FULL`] is asked for by the worker itself.
pub(super) const MOST: usize = 64 << 20;
/// Buffers larger than this are given back after use.
const KEEP: usize = 256 << 10;

/// What waits to be written. Frames are appended to one buffer, which the writing side takes as a whole.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    waiting: Mutex<Vec<u8>>,
    ready: Notify,
    room: Notify,
    overflow: Notify,
}

impl Outbox {
    fn waiting(&self) -> MutexGuard<'_, Vec<u8>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends one frame. Where [`MOST`] bytes wait already it is dropped instead, and [`overflowed`](Self::overflowed) returns.
    pub(super) fn push(&self, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.push_below(MOST, write) {
            self.overflow.notify_one();
        }
    }

    /// Appends one frame unless `limit` bytes wait already. Line breaks inside it, which JSON allows between values only, become
    /// blanks.
    fn push_below(&self, limit: usize, write: impl FnOnce(&mut Vec<u8>)) -> bool {
        let mut waiting = self.waiting();
        if waiting.len() >= limit {
            return false;
        }
        let start = waiting.len();
        write(&mut waiting);
        let mut rest = &mut waiting[start..];
        while let Some(place) = memchr::memchr2(b'\n', b'\r', rest) {
            rest[place] = b' ';
            rest = &mut rest[place + 1..];
        }
        waiting.push(b'\n');
        drop(waiting);
        self.ready.notify_one();
        true
    }

    /// Appends the frame of a call as soon as there is room for it.
    pub(super) async fn send(&self, write: impl Fn(&mut Vec<u8>)) {
        loop {
            let room = self.room.notified();
            tokio::pin!(room);
            room.as_mut().enable();
            if self.push_below(FULL, &write) {
                return;
            }
            room.await;
        }
    }

    /// Returns when a frame was dropped because the worker reads nothing.
    pub(super) async fn overflowed(&self) {
        self.overflow.notified().await;
    }

    /// Drops what waits and lets everybody in, who will then learn that the connection has ended.
    pub(super) fn clear(&self) {
        self.waiting().clear();
        self.room.notify_waiters();
    }

    /// Writes frames as they come; returns only when writing fails.
    pub(super) async fn drain(&self, mut writer: impl AsyncWrite + Unpin) -> io::Error {
        let mut batch = Vec::new();
        loop {
            std::mem::swap(&mut *self.waiting(), &mut batch);
            if batch.is_empty() {
                self.ready.notified().await;
                continue;
            }
            self.room.notify_waiters();
            let written = async {
                writer.write_all(&batch).await?;
                writer.flush().await
            };
            if let Err(error) = written.await {
                return error;
            }
            batch.clear();
            batch.shrink_to(KEEP);
        }
    }
}
