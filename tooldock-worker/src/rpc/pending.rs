//! Requests that wait for their answer.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::oneshot, time::Instant};
use tokio_util::task::AbortOnDropHandle;
use tooldock_engine::{CallContext, EngineError, ErrorKind, error::Result, json::Outline};

use super::id::RequestId;

/// Requests that one worker may have open.
const MAX_OPEN: usize = 4096;
/// Questions that one call may have open.
const MAX_ASKS: usize = 16;

/// Where the answer to one request arrives.
pub(super) type Answer = oneshot::Receiver<Result<Outline>>;

#[derive(Debug)]
struct Waiting {
    answer: oneshot::Sender<Result<Outline>>,
    /// The call, for notes and questions; none for the supervisor's own requests.
    cx: Option<CallContext>,
    /// What the clock of the call reads when its time is up, if that is known.
    end: Option<Duration>,
    /// Questions to the client by the names the worker gave them; they are withdrawn with the call.
    asks: Vec<(String, AbortOnDropHandle<()>)>,
}

impl Waiting {
    /// When the time of the call is up, if that is known.
    fn due(&self) -> Option<Instant> {
        let left = self.end?.saturating_sub(self.cx.as_ref()?.clock().elapsed());
        Some(Instant::now() + left)
    }
}

#[derive(Debug, Default)]
struct Table {
    open: HashMap<RequestId, Waiting>,
    /// Cancellations without an answer, and when the time of the cancelled call is or was up.
    cancelled: HashMap<RequestId, Instant>,
    /// Why nothing can be added any more.
    ended: Option<Arc<str>>,
}

/// All open requests of one connection.
#[derive(Debug, Default)]
pub(super) struct Pending(Mutex<Table>);

impl Pending {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a request, which may be a call that ends after `limit`.
    pub(super) fn add(
        &self,
        id: RequestId,
        cx: Option<CallContext>,
        limit: Option<Duration>,
    ) -> Result<Answer> {
        let end = limit.and_then(|limit| cx.as_ref()?.clock().elapsed().checked_add(limit));
        let mut table = self.table();
        if let Some(why) = &table.ended {
            return Err(EngineError::new(ErrorKind::Unavailable, why.to_string()));
        }
        if table.open.len() >= MAX_OPEN {
            let text = format!("the worker has {MAX_OPEN} open calls, the most it may have; try again");
            return Err(EngineError::new(ErrorKind::Overloaded, text));
        }
        let (answer, receiver) = oneshot::channel();
        table.open.insert(
            id,
            Waiting {
                answer,
                cx,
                end,
                asks: Vec::new(),
            },
        );
        Ok(receiver)
    }

    /// Answers a request, whose call has used `cpu` of a processor; false when nobody waits for it.
    pub(super) fn answer(&self, id: RequestId, cpu: Duration, answer: Result<Outline>) -> bool {
        let waiting = {
            let mut table = self.table();
            let waiting = table.open.remove(&id);
            if waiting.is_none() && table.cancelled.remove(&id).is_some() {
                return true;
            }
            waiting
        };
        waiting.is_some_and(|waiting| {
            if let Some(cx) = &waiting.cx {
                cx.facts().add_processor(cpu);
            }
            waiting.answer.send(answer).is_ok()
        })
    }

    /// Forgets a request and gives the id of its cancellation; `None` when it was answered already.
    pub(super) fn give_up(&self, id: RequestId, cancel: impl FnOnce() -> RequestId) -> Option<RequestId> {
        let mut table = self.table();
        let waiting = table.open.remove(&id)?;
        let cancel = cancel();
        // Of too many the oldest are enough to judge the worker by.
        if let Some(due) = waiting.due().filter(|_| table.cancelled.len() < MAX_OPEN) {
            table.cancelled.insert(cancel, due);
        }
        Some(cancel)
    }

    /// Whether a cancellation is unanswered `grace` after the time of its call was up.
    pub(super) fn is_overdue(&self, grace: Duration) -> bool {
        self.table().cancelled.values().any(|due| due.elapsed() > grace)
    }

    /// The call that `id` names.
    pub(super) fn context(&self, id: RequestId) -> Option<CallContext> {
        self.table().open.get(&id)?.cx.clone()
    }

    /// Begins the question called `ask` and ties it to its call; false, with nothing begun, when the call is over or asks too much.
    pub(super) fn tie(
        &self,
        id: RequestId,
        ask: &str,
        begin: impl FnOnce() -> AbortOnDropHandle<()>,
    ) -> bool {
        let mut table = self.table();
        let Some(waiting) = table.open.get_mut(&id) else {
            return false;
        };
        waiting.asks.retain(|(_, task)| !task.is_finished());
        let fits = waiting.asks.len() < MAX_ASKS;
        waiting.asks.extend(fits.then(|| (ask.to_owned(), begin())));
        fits
    }

    /// Ends the question called `ask`, if the call still waits for it.
    pub(super) fn withdraw(&self, id: RequestId, ask: &str) {
        if let Some(waiting) = self.table().open.get_mut(&id) {
            waiting.asks.retain(|(name, _)| name != ask);
        }
    }

    /// How many requests are open.
    pub(super) fn len(&self) -> usize {
        self.table().open.len()
    }

    /// Answers every open request with an error of `kind` and refuses further ones; only the first call counts.
    pub(super) fn end(&self, kind: ErrorKind, why: &str) {
        let open = {
            let mut table = self.table();
            if table.ended.is_none() {
                table.ended = Some(why.into());
            }
            std::mem::take(&mut table.open)
        };
        for waiting in open.into_values() {
            waiting
                .answer
                .send(Err(EngineError::new(kind, why.to_owned())))
                .ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio_util::task::TaskTracker;

    use super::{super::id::RequestIds, *};

    #[tokio::test]
    async fn a_question_that_has_no_place_is_never_begun() {
        let (pending_calls, ids, tasks) = (Pending::default(), RequestIds::default(), TaskTracker::new());
        let (id, nobody) = (ids.next(), ids.next());
        let _answer = pending_calls.add(id, None, None).unwrap();
        let begin = || AbortOnDropHandle::new(tasks.spawn(pending()));
        for _ in 0..MAX_ASKS {
            assert!(pending_calls.tie(id, "a", begin));
        }
        assert!(!pending_calls.tie(id, "b", || unreachable!("the call asks too much")));
        assert!(!pending_calls.tie(nobody, "b", || unreachable!("there is no such call")));
        assert_eq!(tasks.len(), MAX_ASKS);
        pending_calls.withdraw(id, "b");
        assert!(!pending_calls.tie(id, "b", || unreachable!("another was withdrawn")));
        pending_calls.withdraw(id, "a");
        assert!(pending_calls.tie(id, "b", begin), "there is room again");
    }
}
