//! One stream of a session.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::StreamExt as _;
use tokio::{sync::mpsc, time::timeout};
use tokio_util::sync::CancellationToken;
use tooldock_engine::RawJson;

use super::{Event, EventId, EventLog, StreamId};
use crate::{connection::ReplyStream, session::SessionId, wire::MessageId};

/// What is sent on a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Carries {
    /// Notes and the answer to the request of this id, or the answers to a batch, which have several.
    Answer(Option<MessageId>),
    /// What the server sends on its own.
    Notices,
}

/// One stream of a session. It is carried by one connection after the other, by one at a time, or by none.
#[derive(Debug)]
pub(crate) struct Channel {
    pub(super) id: StreamId,
    pub(crate) carries: Carries,
    session: SessionId,
    log: Arc<dyn EventLog>,
    /// Fired when the session ends.
    end: CancellationToken,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of the last event.
    last: u64,
    /// The number of the last event that was given to the log.
    logged: u64,
    /// Nothing more will be sent.
    finished: bool,
    carrier: Option<Carrier>,
}

/// The connection that carries a stream.
#[derive(Debug, Clone)]
struct Carrier {
    feed: mpsc::Sender<Event>,
    /// Fired when another connection has taken over.
    gone: CancellationToken,
}

/// The end of a carrier that reads.
#[derive(Debug)]
pub(super) struct Carried {
    pub(super) events: mpsc::Receiver<Event>,
    pub(super) gone: CancellationToken,
    /// The number of the last event that is in the log, unless it was too old or too large to stay there.
    pub(super) logged: u64,
}

/// How long a connection may leave an event unread before the stream goes on without it.
const STALL: Duration = Duration::from_secs(30);

impl Channel {
    pub(super) fn new(
        id: StreamId,
        carries: Carries,
        session: SessionId,
        log: Arc<dyn EventLog>,
        end: CancellationToken,
    ) -> Self {
        let state = Mutex::default();
        Self {
            id,
            carries,
            session,
            log,
            end,
            state,
        }
    }

    /// Makes the caller the one who reads. What is sent from here on comes to him; whoever read before ends.
    pub(super) fn attach(&self) -> Carried {
        let (feed, events) = mpsc::channel(1);
        let gone = CancellationToken::new();
        self.change(|state| {
            if let Some(earlier) = state.carrier.take() {
                earlier.gone.cancel();
            }
            if !state.finished {
                let gone = gone.clone();
                state.carrier = Some(Carrier { feed, gone });
            }
            Carried {
                events,
                gone,
                logged: state.logged,
            }
        })
    }

    /// Sends what `messages` gives, whether somebody reads or not. The log has each event before a reader does, so a reader that takes
    /// over finds what the one before was being given.
    pub(super) async fn send_all(&self, mut messages: ReplyStream) {
        while let Some(message) = messages.next().await {
            let event = self.record(message).await;
            self.deliver(event).await;
        }
        self.change(|state| {
            state.finished = true;
            state.carrier = None;
        });
    }

    /// Gives a message its id and keeps it.
    pub(super) async fn record(&self, message: RawJson) -> Event {
        let number = self.change(|state| {
            state.last += 1;
            state.last
        });
        let event = Event {
            id: self.at(number),
            message,
        };
        self.log.append(&self.session, event.clone()).await;
        self.change(|state| state.logged = state.logged.max(number));
        if self.end.is_cancelled() {
            self.log.forget(&self.session);
        }
        event
    }

    async fn deliver(&self, event: Event) {
        let Some(carrier) = self.change(|state| state.carrier.clone()) else {
            return;
        };
        let taken = tokio::select! {
            biased;
            taken = timeout(STALL, carrier.feed.reserve()) => taken,
            () = carrier.gone.cancelled() => return,
            // A last word, if there is room for it.
            () = self.end.cancelled() => Ok(carrier.feed.try_reserve().map_err(|_| mpsc::error::SendError(()))),
        };
        match taken {
            Ok(Ok(place)) => place.send(event),
            _ => self.change(|state| {
                let same = |other: &mut Carrier| other.feed.same_channel(&carrier.feed);
                drop(state.carrier.take_if(same));
            }),
        }
    }

    /// What is kept behind `number`.
    pub(super) async fn kept_after(&self, number: u64) -> Vec<Event> {
        self.log.after(&self.session, self.at(number)).await
    }

    /// Whether an event of this number was sent, or `number` is the place before the first.
    pub(super) fn has_reached(&self, number: u64) -> bool {
        number <= self.change(|state| state.last)
    }

    /// The number of the last event, if nothing more will be sent.
    pub(super) fn finished(&self) -> Option<u64> {
        self.change(|state| state.finished.then_some(state.last))
    }

    pub(super) fn at(&self, number: u64) -> EventId {
        EventId {
            stream: self.id,
            number,
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
