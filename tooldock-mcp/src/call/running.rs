//! A call that runs: its notes, then its end.

use std::{future::pending, time::Duration};

use futures_util::{
    FutureExt as _,
    future::BoxFuture,
    stream::{self, StreamExt as _},
};
use tokio::time::timeout;
use tokio_util::{
    sync::{CancellationToken, DropGuard},
    task::TaskTracker,
};
use tooldock_engine::{RawJson, context::NoteReceiver};

use super::Voice;
use crate::{
    connection::{Answer, Reply, ReplyStream},
    refusal::code,
    wire::{MessageId, write_error},
};

/// How long a call lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifetime {
    /// As long as somebody waits for its answer.
    Exchange,
    /// Until it ends, whether somebody waits or not.
    Session,
}

/// A call that runs: its notes, then its end.
pub(crate) struct Running {
    /// Cancels the call when it is dropped early; declared before `end`, so that the call hears of it.
    guard: Option<DropGuard>,
    end: BoxFuture<'static, RawJson>,
    /// The end, held back until the notes before it are told.
    ended: Option<RawJson>,
    notes: Option<NoteReceiver>,
    voice: Voice,
    over: bool,
}

impl Running {
    /// Starts `work`, which gives the response to the request called `id`, on `tracker`.
    pub(crate) fn start(
        id: MessageId,
        work: impl Future<Output = RawJson> + Send + 'static,
        lifetime: Lifetime,
        cancel: CancellationToken,
        tracker: &TaskTracker,
        (notes, voice): (Option<NoteReceiver>, Voice),
    ) -> Self {
        let (guard, end) = match lifetime {
            Lifetime::Exchange => (Some(cancel.drop_guard()), tracker.track_future(work).boxed()),
            Lifetime::Session => {
                let task = tracker.spawn(work);
                (
                    None,
                    task.map(move |end| end.unwrap_or_else(|_| broken(&id))).boxed(),
                )
            }
        };
        Self {
            guard,
            end,
            ended: None,
            notes,
            voice,
            over: false,
        }
    }

    /// The reply: one answer if the call ends before it tells anything, else a stream. With `patience`, a call that is silent for so long
    /// becomes a stream, too; without it, it never does.
    pub(crate) async fn reply(mut self, patience: Option<Duration>) -> Reply {
        let first = match patience {
            Some(patience) => timeout(patience, self.next()).await.ok(),
            None => Some(self.next().await),
        };
        match first.flatten() {
            Some(body) if self.over => Reply::One(Answer { body, status: 200 }),
            first => {
                let rest = stream::unfold(self, async |mut running| Some((running.next().await?, running)));
                Reply::Stream(ReplyStream::new(stream::iter(first).chain(rest)))
            }
        }
    }

    /// The next note, or the response once there is no note left; nothing after it.
    async fn next(&mut self) -> Option<RawJson> {
        while !self.over {
            if self.ended.is_none() {
                tokio::select! {
                    biased;
                    Some(note) = next_note(self.notes.as_mut()) => match self.voice.write(&note) {
                        Some(message) => return Some(message),
                        None => continue,
                    },
                    end = &mut self.end => self.ended = Some(end),
                }
            }
            let left = self.notes.as_mut().and_then(|notes| notes.try_recv().ok());
            if let Some(message) = left.as_ref().and_then(|note| self.voice.write(note)) {
                return Some(message);
            }
            if left.is_none() {
                self.over = true;
                self.guard.take().map(DropGuard::disarm);
                return self.ended.take();
            }
        }
        None
    }
}

fn broken(id: &MessageId) -> RawJson {
    write_error(
        Some(id),
        code::INTERNAL,
        "the gateway broke during the call; the log has the cause",
        None,
    )
}

async fn next_note(notes: Option<&mut NoteReceiver>) -> Option<tooldock_engine::context::Note> {
    match notes {
        Some(notes) => notes.recv().await,
        None => pending().await,
    }
}
