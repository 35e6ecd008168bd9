//! What the client of a session has been asked and has not answered yet.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{mpsc, oneshot};
use tooldock_engine::{RawJson, error::Result};

use super::Told;
use crate::{
    random::random_name,
    wire::{MessageId, Response, write_notification, write_request},
};

type Outcome = std::result::Result<RawJson, RawJson>;

/// What the client of a session has been asked and has not answered yet, by ids that nobody can guess and no other session knows.
#[derive(Debug, Default)]
pub(crate) struct Asked(Mutex<HashMap<MessageId, oneshot::Sender<Outcome>>>);

impl Asked {
    fn open(&self) -> MutexGuard<'_, HashMap<MessageId, oneshot::Sender<Outcome>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks with a message on `stream` and waits for `result`, or `error` as the client sent it; nothing when the stream is gone.
    ///
    /// Dropping the future withdraws the question.
    pub(super) async fn ask(
        self: &Arc<Self>,
        stream: &mpsc::Sender<Told>,
        method: &str,
        params: &RawJson,
    ) -> Result<Option<Outcome>> {
        let id = MessageId::text(&random_name()?);
        let (answer, waiting) = oneshot::channel();
        self.open().insert(id.clone(), answer);
        let mut open = Open {
            asked: self,
            stream,
            id,
            told: false,
        };
        let request = write_request(&open.id, method, params);
        if stream.send(Told::Message(request)).await.is_err() {
            return Ok(None);
        }
        open.told = true;
        let outcome = waiting.await.ok();
        open.told = outcome.is_none();
        Ok(outcome)
    }

    /// Takes the answer to a question; one that nobody waits for is ignored.
    pub(crate) fn answer(&self, response: Response) {
        let waiting = self.open().remove(&response.id);
        if let Some(waiting) = waiting {
            waiting.send(response.outcome).ok();
        }
    }
}

/// A question that is open until this is dropped.
struct Open<'a> {
    asked: &'a Asked,
    stream: &'a mpsc::Sender<Told>,
    id: MessageId,
    /// Whether the client knows of it and has not answered.
    told: bool,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.asked.open().remove(&self.id);
        if self.told {
            let withdrawn = write_notification("notifications/cancelled", |params| {
                params.raw("requestId", self.id.as_json());
            });
            // A client that does not read need not know.
            self.stream.try_send(Told::Message(withdrawn)).ok();
        }
    }
}
