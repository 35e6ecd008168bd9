//! What the server sends on its own.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{sync::Notify, time::Instant};
use tooldock_engine::RawJson;

use crate::session::LastUse;

/// Messages that may wait to be read.
const WAITING: usize = 64;
/// Readers at one time, unless set.
const READERS: usize = 8;

/// What the server sends on its own: messages that answer no request.
///
/// Each message goes to one reader, the newest; without any it waits for the next one. A reader that lets more than 64 messages wait
/// ends, and the next newest takes over with what waits; without any reader, no more than 64 are kept. Of more readers than the limit
/// (eight unless set) the oldest ends.
#[derive(Debug)]
pub struct Outbox {
    readers: usize,
    state: Mutex<State>,
    changed: Notify,
    last_use: LastUse,
}

#[derive(Debug, Default)]
struct State {
    /// The oldest first.
    readers: Vec<u64>,
    attached: u64,
    waiting: VecDeque<RawJson>,
    closed: bool,
}

/// One reader of an [`Outbox`].
#[derive(Debug)]
pub struct OutboxReader {
    outbox: Arc<Outbox>,
    number: u64,
}

/// What a reader finds.
enum Found {
    Message(RawJson),
    Nothing,
    End,
}

impl Default for Outbox {
    fn default() -> Self {
        Self::with_readers(READERS)
    }
}

impl Outbox {
    /// An outbox that has at most so many readers at a time.
    #[must_use]
    pub fn with_readers(readers: usize) -> Self {
        Self {
            readers: readers.max(1),
            state: Mutex::default(),
            changed: Notify::new(),
            last_use: LastUse::default(),
        }
    }

    /// A new reader, which takes over from older ones.
    #[must_use]
    pub fn attach(self: &Arc<Self>) -> OutboxReader {
        let number = self.change(|state| {
            state.attached += 1;
            if state.readers.len() == self.readers {
                state.readers.remove(0);
            }
            state.readers.push(state.attached);
            state.attached
        });
        OutboxReader {
            outbox: self.clone(),
            number,
        }
    }

    /// Sends a message; `false` if there is no room for it or the conversation has ended.
    pub fn send(&self, message: RawJson) -> bool {
        self.change(|state| {
            let full = state.waiting.len() >= WAITING;
            if state.closed || (full && state.readers.pop().is_none()) {
                return false;
            }
            state.waiting.push_back(message);
            true
        })
    }

    /// Whether anybody reads.
    pub(crate) fn is_read(&self) -> bool {
        !self.look(|state| state.readers.is_empty())
    }

    /// When the last reader left, if any has.
    pub(crate) fn last_use(&self) -> Option<Instant> {
        self.last_use.get()
    }

    /// Ends every reader once what waits is read.
    pub(crate) fn close(&self) {
        self.change(|state| state.closed = true);
    }

    fn find(&self, reader: u64) -> Found {
        self.look(|state| match state.readers.last() {
            Some(newest) if *newest == reader => match state.waiting.pop_front() {
                Some(message) => Found::Message(message),
                None if state.closed => Found::End,
                None => Found::Nothing,
            },
            Some(_) if !state.closed && state.readers.contains(&reader) => Found::Nothing,
            _ => Found::End,
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = self.look(change);
        self.changed.notify_waiters();
        changed
    }

    fn look<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl OutboxReader {
    /// The next message; nothing once the conversation has ended or others have taken the place of this reader.
    ///
    /// # Cancel safety
    /// Safe: no message is lost.
    pub async fn next(&mut self) -> Option<RawJson> {
        loop {
            let mut changed = std::pin::pin!(self.outbox.changed.notified());
            // From here on no change is missed.
            changed.as_mut().enable();
            match self.outbox.find(self.number) {
                Found::Message(message) => return Some(message),
                Found::End => return None,
                Found::Nothing => changed.await,
            }
        }
    }
}

impl Drop for OutboxReader {
    fn drop(&mut self) {
        self.outbox.last_use.stamp();
        self.outbox
            .change(|state| state.readers.retain(|reader| *reader != self.number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(number: i64) -> RawJson {
        RawJson::from(serde_json::Value::from(number))
    }

    fn outbox() -> Arc<Outbox> {
        Arc::default()
    }

    #[tokio::test]
    async fn each_message_goes_to_the_newest_reader_only() {
        let outbox = outbox();
        assert!(outbox.send(message(1)));
        let mut old = outbox.attach();
        assert_eq!(old.next().await, Some(message(1)), "what waited");
        let mut new = outbox.attach();
        assert!(outbox.send(message(2)));
        assert_eq!(new.next().await, Some(message(2)));
        assert!(outbox.send(message(3)));
        drop(new);
        assert_eq!(
            old.next().await,
            Some(message(3)),
            "what the newest has not read is the next one's"
        );
        outbox.close();
        assert_eq!(old.next().await, None);
        assert!(!outbox.send(message(4)));
    }

    #[tokio::test]
    async fn s36_who_does_not_read_ends() {
        let outbox = outbox();
        let (mut old, mut stopped) = (outbox.attach(), outbox.attach());
        let sent = WAITING as i64 + 1;
        assert!((0..sent).all(|number| outbox.send(message(number))));
        assert_eq!(stopped.next().await, None);
        for number in 0..sent {
            assert_eq!(old.next().await, Some(message(number)), "another takes over");
        }
    }

    #[tokio::test]
    async fn of_too_many_readers_the_oldest_ends() {
        let outbox = outbox();
        let mut readers: Vec<_> = (0..=READERS).map(|_| outbox.attach()).collect();
        assert_eq!(readers[0].next().await, None);
        drop(readers.pop());
        assert!(outbox.send(message(1)));
        assert_eq!(readers[READERS - 1].next().await, Some(message(1)));
        assert!(outbox.is_read());
        readers.clear();
        assert!(!outbox.is_read());
    }

    #[test]
    fn s36_messages_that_nobody_reads_are_bounded() {
        let outbox = outbox();
        let taken = (0..100).filter(|number| outbox.send(message(*number))).count();
        assert_eq!(taken, WAITING);
    }
}
