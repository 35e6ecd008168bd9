//! A call at work, whoever waits for it.

use std::{fmt, future::pending, time::Duration};

use futures_util::{FutureExt as _, future::BoxFuture};
use tokio::{
    sync::mpsc,
    task::JoinError,
    time::{Instant, sleep_until},
};
use tokio_util::{
    sync::{CancellationToken, DropGuard},
    task::{AbortOnDropHandle, TaskTracker},
};
use tooldock_engine::{
    EngineReply, RawJson,
    context::{Note, NoteReceiver},
    error::Result as EngineResult,
};

use super::{Hearing, Lifetime};
use crate::input::{Questions, Told};

/// How a call ended; nothing if the gateway broke.
pub(crate) type End = Option<EngineResult<EngineReply>>;

/// How long a question waits for others of the same call, so that they are put together.
const GATHER: Duration = Duration::from_millis(50);

/// Where a call is heard.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) notes: NoteReceiver,
    pub(crate) told: mpsc::Receiver<Told>,
    pub(crate) hearing: Hearing,
}

/// A call at work, whoever waits for it. Dropped early, one of an exchange is cancelled.
pub(crate) struct Task {
    /// Cancels the call when it is dropped early; declared before `end`, so that the call hears of it.
    guard: Option<DropGuard>,
    cancel: CancellationToken,
    end: BoxFuture<'static, End>,
    /// The end, held back until what was told before it is passed on.
    ended: Option<End>,
    line: Option<Line>,
    questions: Questions,
    /// When the questions that are open are put.
    due: Option<Instant>,
    /// Whether it runs without being polled.
    detached: bool,
    tracker: TaskTracker,
}

/// What happens to a call next.
pub(super) enum Event {
    Note(Note),
    Message(RawJson),
    /// Questions wait for a client of the modern era.
    Asks,
    Ended(End),
}

impl Task {
    pub(crate) fn start(
        work: impl Future<Output = EngineResult<EngineReply>> + Send + 'static,
        lifetime: Lifetime,
        cancel: CancellationToken,
        tracker: &TaskTracker,
        line: Option<Line>,
    ) -> Self {
        let detached = lifetime == Lifetime::Session;
        let (guard, end) = match lifetime {
            Lifetime::Exchange => {
                let work = tracker.track_future(work).map(Some).boxed();
                (Some(cancel.clone().drop_guard()), work)
            }
            Lifetime::Session => (None, end_of(tracker.spawn(work))),
        };
        Self {
            guard,
            cancel,
            end,
            ended: None,
            line,
            questions: Questions::default(),
            due: None,
            detached,
            tracker: tracker.clone(),
        }
    }

    /// The token that ends the call.
    pub(crate) fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// What the client wants to hear from now on, and can be asked.
    pub(crate) fn hearing(&self) -> Option<&Hearing> {
        self.line.as_ref().map(|line| &line.hearing)
    }

    /// Lets the call go on while nobody polls for it: its own time limit has to end it. It is still ended when this is dropped.
    pub(super) fn detach(&mut self) {
        if !std::mem::replace(&mut self.detached, true) && self.ended.is_none() {
            let work = std::mem::replace(&mut self.end, pending().boxed());
            let task = AbortOnDropHandle::new(self.tracker.spawn(work));
            self.end = end_of(task).map(Option::flatten).boxed();
        }
    }

    /// Nobody waits for it any longer, which is well.
    pub(super) fn disarm(&mut self) {
        self.guard.take().map(DropGuard::disarm);
    }

    /// Gives answers to the questions that are open; those that stay open are put again.
    pub(crate) fn answer(&mut self, find: impl Fn(&str) -> Option<RawJson>) {
        let answered = self.questions.answer(find);
        let wait = if answered { GATHER } else { Duration::ZERO };
        self.due = self.questions.prune().then(|| Instant::now() + wait);
    }

    /// The questions that are open.
    pub(crate) fn questions(&self) -> RawJson {
        self.questions.write()
    }

    pub(super) async fn next(&mut self) -> Event {
        while self.ended.is_none() {
            let (notes, told) = match &mut self.line {
                Some(line) => (Some(&mut line.notes), Some(&mut line.told)),
                None => (None, None),
            };
            tokio::select! {
                biased;
                note = receive(notes) => return Event::Note(note),
                told = receive(told) => match told {
                    Told::Message(message) => return Event::Message(message),
                    Told::Question(question) => {
                        self.questions.add(question);
                        self.due.get_or_insert_with(|| Instant::now() + GATHER);
                    }
                },
                end = &mut self.end => self.ended = Some(end),
                () = until(self.due) => {
                    self.due = None;
                    if self.questions.prune() {
                        return Event::Asks;
                    }
                }
            }
        }
        if let Some(line) = &mut self.line {
            if let Ok(note) = line.notes.try_recv() {
                return Event::Note(note);
            }
            while let Ok(told) = line.told.try_recv() {
                if let Told::Message(message) = told {
                    return Event::Message(message);
                }
            }
        }
        Event::Ended(self.ended.take().flatten())
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("questions", &self.questions)
            .finish_non_exhaustive()
    }
}

fn end_of<T: 'static>(
    task: impl Future<Output = Result<T, JoinError>> + Send + 'static,
) -> BoxFuture<'static, Option<T>> {
    task.map(Result::ok).boxed()
}

async fn receive<T>(queue: Option<&mut mpsc::Receiver<T>>) -> T {
    match queue {
        Some(queue) => match queue.recv().await {
            Some(item) => item,
            None => pending().await,
        },
        None => pending().await,
    }
}

async fn until(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => pending().await,
    }
}
