//! What waits for clients to come back.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use tokio::time::sleep;
use tokio_util::{
    sync::{CancellationToken, DropGuard},
    task::TaskTracker,
};
use tooldock_engine::{
    EngineError, ErrorKind, RawJson, error::Result, output::InputRequired, request::Answers,
};

use super::{
    Abilities, InputLimits, Returned, SealKey, Subject,
    question::read_all,
    seal::Seal,
    ticket::{Ticket, TicketId},
};
use crate::{
    call::Task,
    refusal::Refusal,
    watch::{Cap, Place, Places},
};

/// What waits for clients of the modern era to come back. Each ticket serves once.
pub(crate) struct Desk {
    limits: InputLimits,
    seal: Seal,
    places: Places,
    held: Arc<Mutex<HashMap<TicketId, Held>>>,
    tracker: TaskTracker,
    closing: CancellationToken,
}

/// What waits under one ticket; dropped, it is ended.
struct Held {
    what: What,
    /// Ends the task that would let it expire.
    _timer: DropGuard,
}

enum What {
    /// A call that goes on when its questions are answered.
    Parked(Box<Task>),
    /// Nothing: the engine begins anew, with its state out of the ticket.
    Nothing { _place: Place },
}

/// What a client gets instead of a result.
#[derive(Debug)]
pub(crate) struct Asking {
    /// `inputRequests`.
    pub(crate) requests: RawJson,
    /// `requestState`.
    pub(crate) state: String,
}

/// What a request turns out to be.
pub(crate) enum Received {
    /// One that is to begin, with what its client brought along, and how often it has been answered with questions.
    Begin(Option<Answers>, u8),
    /// The return of a client whose call is parked.
    Parked(Task),
}

impl Desk {
    pub(crate) fn new(
        limits: InputLimits,
        key: Option<SealKey>,
        tracker: TaskTracker,
        closing: CancellationToken,
    ) -> Self {
        Self {
            limits,
            seal: Seal::new(key),
            places: Places::new(
                "questions",
                Cap(limits.per_principal, "INPUT_QUESTIONS_PER_PRINCIPAL"),
                Cap(limits.total, "INPUT_QUESTIONS"),
            ),
            held: Arc::default(),
            tracker,
            closing,
        }
    }

    /// Places for open questions.
    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// Finds out what a request is, and takes what waits for it.
    pub(crate) fn receive(&self, returned: &Returned, subject: &Subject) -> Result<Received, Refusal> {
        let responses = returned.responses.clone();
        let Some(text) = &returned.state else {
            let answers = responses.map(|responses| Answers {
                responses,
                state: None,
            });
            return Ok(Received::Begin(answers, 0));
        };
        let opened = self.seal.open(text, subject);
        let ticket = opened.and_then(|bytes| Ticket::read(&bytes, SystemTime::now()));
        let ticket = ticket.ok_or_else(refused)?;
        let held = lock(&self.held).remove(&ticket.id);
        match held.ok_or_else(refused)?.what {
            What::Parked(mut task) => {
                task.answer(|key| returned.answer(key));
                Ok(Received::Parked(*task))
            }
            What::Nothing { .. } => {
                let answers = Answers {
                    responses: responses.unwrap_or_else(RawJson::empty_object),
                    state: ticket.state,
                };
                Ok(Received::Begin(Some(answers), ticket.round))
            }
        }
    }

    /// Keeps a call until its client comes back with answers.
    pub(crate) fn park(&self, task: Task, subject: &Subject) -> Result<Asking> {
        let requests = task.questions();
        let ticket = Ticket::issue(self.limits.timeout, 0, None)?;
        self.hold(&ticket, What::Parked(Box::new(task)), requests, subject)
    }

    /// Passes the questions of an engine on that keeps no state but gives it along.
    pub(crate) fn pass(
        &self,
        required: InputRequired,
        abilities: Abilities,
        round: u8,
        subject: &Subject,
    ) -> Result<Asking> {
        if round >= self.limits.rounds {
            let text = format!("the tool has asked {round} times and asks again, which is more than it may");
            return Err(EngineError::new(ErrorKind::InputRequired, text));
        }
        for ask in read_all(&required.requests)? {
            if !abilities.has(ask.kind) {
                return Err(cannot(ask.kind.method()));
            }
        }
        let place = self.places.take(subject.principal())?;
        let ticket = Ticket::issue(self.limits.timeout, round + 1, required.state)?;
        self.hold(
            &ticket,
            What::Nothing { _place: place },
            required.requests,
            subject,
        )
    }

    fn hold(&self, ticket: &Ticket, what: What, requests: RawJson, subject: &Subject) -> Result<Asking> {
        let state = self.seal.seal(&ticket.to_bytes(), subject)?;
        let (id, over) = (ticket.id, CancellationToken::new());
        let _timer = over.clone().drop_guard();
        lock(&self.held).insert(id, Held { what, _timer });
        let (held, closing, life) = (self.held.clone(), self.closing.clone(), self.limits.timeout);
        self.tracker.spawn(async move {
            tokio::select! {
                () = over.cancelled() => return,
                () = closing.cancelled() => {}
                () = sleep(life) => {}
            }
            let expired = lock(&held).remove(&id);
            drop(expired);
        });
        Ok(Asking { requests, state })
    }
}

fn lock(held: &Mutex<HashMap<TicketId, Held>>) -> MutexGuard<'_, HashMap<TicketId, Held>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One answer for everything that is no ticket of this request: whoever tries learns nothing.
fn refused() -> Refusal {
    Refusal::params(
        "`params.requestState` was used before, has expired, or belongs to another request; send the request again without it and without `inputResponses`",
    )
}

pub(super) fn cannot(method: &str) -> EngineError {
    let text =
        format!("the tool needs an answer from the client (`{method}`), which this client cannot give");
    EngineError::new(ErrorKind::InputRequired, text)
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk")
            .field("held", &lock(&self.held).len())
            .finish_non_exhaustive()
    }
}
