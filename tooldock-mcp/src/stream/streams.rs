//! The streams of one session.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Carries, Channel, EventId, EventLog, Reader, StreamId};
use crate::{connection::ReplyStream, session::SessionId, watch::Notices, wire::MessageId};

/// Streams that can be found again; of more, the oldest that has ended is forgotten, or else the oldest.
const FOUND: usize = 100;

/// The streams of one session.
#[derive(Debug)]
pub(crate) struct Streams {
    session: SessionId,
    log: Arc<dyn EventLog>,
    end: CancellationToken,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The id of the next stream.
    next: u64,
    /// The oldest first.
    channels: VecDeque<Arc<Channel>>,
}

impl Streams {
    /// The streams of `session`, numbered from `first` on, which is random so that ids of other sessions mean nothing here.
    pub(crate) fn new(
        session: SessionId,
        log: Arc<dyn EventLog>,
        end: CancellationToken,
        first: u64,
    ) -> Self {
        let state = State {
            next: first,
            channels: VecDeque::new(),
        };
        Self {
            session,
            log,
            end,
            state: Mutex::new(state),
        }
    }

    /// A stream that carries `messages`, which are read to their end by a task on `tasks`, whether the stream is or not.
    pub(crate) fn answer(
        &self,
        messages: ReplyStream,
        request: Option<MessageId>,
        tasks: &TaskTracker,
    ) -> Reader {
        let channel = self.open(Carries::Answer(request));
        let reader = Reader::new(channel.clone(), None);
        tasks.spawn(async move { channel.send_all(messages).await });
        reader
    }

    /// A stream of what the server sends on its own.
    pub(crate) fn notices(&self, notices: Notices) -> Reader {
        Reader::new(self.open(Carries::Notices), Some(notices))
    }

    /// The stream on which an event of this id was sent.
    pub(crate) fn find(&self, last: EventId) -> Option<Arc<Channel>> {
        self.change(|state| {
            let mut channels = state.channels.iter();
            let found = channels.find(|channel| channel.id == last.stream)?;
            found.has_reached(last.number).then(|| found.clone())
        })
    }

    /// Forgets what was sent.
    pub(crate) fn forget(&self) {
        self.log.forget(&self.session);
    }

    fn open(&self, carries: Carries) -> Arc<Channel> {
        self.change(|state| {
            let id = StreamId(state.next);
            state.next = state.next.wrapping_add(1);
            let (session, log, end) = (self.session.clone(), self.log.clone(), self.end.clone());
            let channel = Arc::new(Channel::new(id, carries, session, log, end));
            if state.channels.len() == FOUND {
                let mut channels = state.channels.iter();
                let ended = channels.position(|channel| channel.finished().is_some());
                state.channels.remove(ended.unwrap_or(0));
            }
            state.channels.push_back(channel.clone());
            channel
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
