//! What the server sends on its own.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use tokio::sync::mpsc;
use tooldock_engine::RawJson;

/// Messages that may wait in one place; what comes on top of that is dropped.
const WAITING: usize = 64;

/// What the server sends on its own: messages that answer no request.
///
/// Each message goes to one reader, the newest that still reads; without any it waits for the next one, up to 64 of them.
#[derive(Debug, Default)]
pub struct Outbox(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    readers: Vec<mpsc::Sender<RawJson>>,
    waiting: VecDeque<RawJson>,
    closed: bool,
}

/// One reader of an [`Outbox`].
#[derive(Debug)]
pub struct OutboxReader(mpsc::Receiver<RawJson>);

impl OutboxReader {
    /// The next message; nothing once the conversation has ended.
    ///
    /// # Cancel safety
    /// Safe: no message is lost.
    pub async fn next(&mut self) -> Option<RawJson> {
        self.0.recv().await
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
                state.readers.push(sender);
            }
        });
        OutboxReader(receiver)
    }

    /// Sends a message; `false` if there is no room for it or the conversation has ended.
    pub fn send(&self, message: RawJson) -> bool {
        self.change(|state| {
            state.readers.retain(|reader| !reader.is_closed());
            match state.readers.last() {
                Some(reader) => reader.try_send(message).is_ok(),
                None if state.closed || state.waiting.len() == WAITING => false,
                None => {
                    state.waiting.push_back(message);
                    true
                }
            }
        })
    }

    /// Ends every reader once it has read what waits.
    pub(crate) fn close(&self) {
        self.change(|state| {
            state.closed = true;
            state.readers.clear();
        });
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
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

    #[test]
    fn it_holds_no_more_than_its_bound() {
        let outbox = Outbox::default();
        let taken = (0..100).filter(|number| outbox.send(message(*number))).count();
        assert_eq!(taken, WAITING);
    }
}
