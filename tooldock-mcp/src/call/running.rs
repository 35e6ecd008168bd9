//! A call that somebody waits for: its notes, then its response.

use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use tokio::time::timeout;
use tooldock_engine::{EngineReply, RawJson, error::Result as EngineResult};

use super::{Entered, Task, Voice, task::Event};
use crate::connection::{Answer, Reply, ReplyStream};

/// How long a call lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifetime {
    /// As long as somebody waits for its answer, whether he reads on or not.
    Exchange,
    /// Until it ends, whether somebody waits or not.
    Session,
}

/// What there is to respond with.
pub(crate) enum Outcome {
    /// The call has ended.
    Ended(EngineResult<EngineReply>),
    /// The gateway broke during the call.
    Broke,
    /// The call waits for answers of a client of the modern era.
    Asks(Task),
}

/// Writes the response.
pub(crate) type Respond = Box<dyn FnOnce(Outcome) -> RawJson + Send>;

/// A call that somebody waits for: its notes, then its response.
pub(crate) struct Running {
    /// Nothing once there is a response.
    task: Option<Task>,
    /// The entry under which a message can cancel an exchange.
    entered: Option<Entered>,
    voice: Voice,
    /// How long it may be silent before its reply becomes a stream; without it, that never does for silence.
    patience: Option<Duration>,
    respond: Option<Respond>,
}

impl Running {
    pub(crate) fn new(
        task: Task,
        entered: Option<Entered>,
        voice: Voice,
        patience: Option<Duration>,
        respond: Respond,
    ) -> Self {
        Self {
            task: Some(task),
            entered,
            voice,
            patience,
            respond: Some(respond),
        }
    }

    /// The reply: one answer if the call ends before it tells anything and before its patience does, else a stream.
    pub(crate) async fn reply(mut self) -> Reply {
        let first = match self.patience {
            Some(patience) => timeout(patience, self.next()).await.ok(),
            None => Some(self.next().await),
        };
        match first.flatten() {
            Some(body) if self.task.is_none() => Reply::One(Answer { body, status: 200 }),
            first => {
                if let Some(task) = &mut self.task {
                    task.detach();
                }
                let rest = stream::unfold(self, async |mut running| Some((running.next().await?, running)));
                Reply::Stream(ReplyStream::new(stream::iter(first).chain(rest)))
            }
        }
    }

    /// The next message, which is the response once there is nothing before it; nothing after it.
    async fn next(&mut self) -> Option<RawJson> {
        loop {
            let outcome = match self.task.as_mut()?.next().await {
                Event::Note(note) => match self.voice.write(&note) {
                    Some(message) => return Some(message),
                    None => continue,
                },
                Event::Message(message) => return Some(message),
                Event::Asks => {
                    let mut task = self.task.take()?;
                    task.detach();
                    if let Some(hearing) = task.hearing() {
                        hearing.hush();
                    }
                    Outcome::Asks(task)
                }
                Event::Ended(end) => {
                    self.task.take()?.disarm();
                    end.map_or(Outcome::Broke, Outcome::Ended)
                }
            };
            self.entered = None;
            return Some(self.respond.take()?(outcome));
        }
    }
}
