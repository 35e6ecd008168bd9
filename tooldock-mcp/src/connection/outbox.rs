//! What the server sends on its own.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{sync::mpsc, time::Instant};
use tooldock_engine::RawJson;

use crate::session::LastUse;

/// Messages that may wait for one reader, or for the first.
const WAITING: usize = 64;
/// Readers at one time.
const READERS: usize = 8;

/// What the server sends on its own: messages that answer no request.
///
/// Each message goes to one reader, the newest; without any it waits for the next one, up to 64 of them. A reader that leaves 64
/// messages unread ends after those, and of more than eight readers the oldest ends.
#[derive(Debug, Default)]
pub struct Outbox {
    state: Mutex<State>,
    last_use: Arc<LastUse>,
}

#[derive(Debug, Default)]
struct State {
    readers: Vec<mpsc::Sender<RawJson>>,
    waiting: VecDeque<RawJson>,
    closed: bool,
}

/// One reader of an [`Outbox`].
#[derive(Debug)]
pub struct OutboxReader {
    messages: mpsc::Receiver<RawJson>,
    last_use: Arc<LastUse>,
}

impl OutboxReader {
    /// The next message; nothing once the conversation has ended.
    ///
    /// # Cancel safety
    /// Safe: no message is lost.
    pub async fn next(&mut self) -> Option<RawJson> {
        self.messages.recv().await
    }
}

impl Drop for OutboxReader {
    fn drop(&mut self) {
        self.last_use.stamp();
    }
}

impl Outbox {
    /// A new reader, which takes over from older ones.
    #[must_use]
    pub fn attach(&self) -> OutboxReader {
        let (sender, receiver) = mpsc::channel(WAITING);
        self.change(|state| {
            for message in state.waiting.drain(..) {
                sender.try_send(message).ok();
            }
            if !state.closed {
                if state.readers.len() == READERS {
                    state.readers.remove(0);
                }
                state.readers.push(sender);
            }
        });
        OutboxReader {
            messages: receiver,
            last_use: self.last_use.clone(),
        }
    }

    /// Sends a message; `false` if there is no room for it or the conversation has ended.
    pub fn send(&self, mut message: RawJson) -> bool {
        self.change(|state| {
            while let Some(reader) = state.readers.last() {
                match reader.try_send(message) {
                    Ok(()) => return true,
                    Err(unread) => message = unread.into_inner(),
                }
                state.readers.pop();
            }
            let room = !state.closed && state.waiting.len() < WAITING;
            if room {
                state.waiting.push_back(message);
            }
            room
        })
    }

    /// Whether anybody reads.
    pub(crate) fn is_read(&self) -> bool {
        self.change(|state| state.readers.iter().any(|reader| !reader.is_closed()))
    }

    /// When the last reader left, if any has.
    pub(crate) fn last_use(&self) -> Option<Instant> {
        self.last_use.get()
    }

    /// Ends every reader once it has read what waits.
    pub(crate) fn close(&self) {
        self.change(|state| {
            state.closed = true;
            state.readers.clear();
        });
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(number: i64) -> RawJson {
        RawJson::from(serde_json::Value::from(number))
    }

    #[tokio::test]
    async fn each_message_goes_to_the_newest_reader_only() {
        let outbox = Outbox::default();
        assert!(outbox.send(message(1)));
        let mut old = outbox.attach();
        let mut new = outbox.attach();
        assert!(outbox.send(message(2)));
        drop((
            old.next()
                .await
                .filter(|got| *got == message(1))
                .expect("what waited"),
            (),
        ));
        assert_eq!(new.next().await, Some(message(2)));
        drop(new);
        assert!(outbox.send(message(3)));
        assert_eq!(old.next().await, Some(message(3)));
        outbox.close();
        assert_eq!(old.next().await, None);
        assert!(!outbox.send(message(4)));
    }

    #[tokio::test]
    async fn s36_who_does_not_read_ends() {
        let outbox = Outbox::default();
        let (mut old, mut stopped) = (outbox.attach(), outbox.attach());
        let sent = WAITING as i64 + 1;
        assert!((0..sent).all(|number| outbox.send(message(number))));
        for number in 0..sent - 1 {
            assert_eq!(stopped.next().await, Some(message(number)));
        }
        assert_eq!(stopped.next().await, None);
        assert_eq!(old.next().await, Some(message(sent - 1)), "another takes over");
    }

    #[tokio::test]
    async fn of_too_many_readers_the_oldest_ends() {
        let outbox = Outbox::default();
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
    fn it_holds_no_more_than_its_bound() {
        let outbox = Outbox::default();
        let taken = (0..100).filter(|number| outbox.send(message(*number))).count();
        assert_eq!(taken, WAITING);
    }
}
