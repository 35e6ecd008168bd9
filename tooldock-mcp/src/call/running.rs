//! A call that runs: its notes, then its end.

use std::{future::pending, time::Duration};

use futures_util::{
    FutureExt as _,
    future::BoxFuture,
    stream::{self, StreamExt as _},
};
use tokio::{task::JoinError, time::timeout};
use tokio_util::{
    sync::{CancellationToken, DropGuard},
    task::{AbortOnDropHandle, TaskTracker},
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
    /// As long as somebody waits for its answer, whether he reads on or not.
    Exchange,
    /// Until it ends, whether somebody waits or not.
    Session,
}

/// A call that runs: its notes, then its end.
pub(crate) struct Running {
    /// Cancels the call when it is dropped early; declared before `end`, so that the call hears of it.
    guard: Option<DropGuard>,
    id: MessageId,
    end: BoxFuture<'static, RawJson>,
    /// The end, held back until the notes before it are told.
    ended: Option<RawJson>,
    notes: Option<NoteReceiver>,
    voice: Voice,
    over: bool,
    tracker: TaskTracker,
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
            Lifetime::Session => (None, end_of(tracker.spawn(work), id.clone())),
        };
        Self {
            guard,
            id,
            end,
            ended: None,
            notes,
            voice,
            over: false,
            tracker: tracker.clone(),
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
                self.detach();
                let rest = stream::unfold(self, async |mut running| Some((running.next().await?, running)));
                Reply::Stream(ReplyStream::new(stream::iter(first).chain(rest)))
            }
        }
    }

    /// Lets the call go on while nobody reads the stream: its own time limit has to end it. It is still ended with the stream.
    fn detach(&mut self) {
        if self.guard.is_some() && self.ended.is_none() {
            let work = std::mem::replace(&mut self.end, pending().boxed());
            let task = AbortOnDropHandle::new(self.tracker.spawn(work));
            self.end = end_of(task, self.id.clone());
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

/// The response that `task` gives to the request called `id`, or the one that tells that it broke.
fn end_of(
    task: impl Future<Output = Result<RawJson, JoinError>> + Send + 'static,
    id: MessageId,
) -> BoxFuture<'static, RawJson> {
    let text = "the gateway broke during the call; the log has the cause";
    task.map(move |end| end.unwrap_or_else(|_| write_error(Some(&id), code::INTERNAL, text, None)))
        .boxed()
}

async fn next_note(notes: Option<&mut NoteReceiver>) -> Option<tooldock_engine::context::Note> {
    match notes {
        Some(notes) => notes.recv().await,
        None => pending().await,
    }
}
