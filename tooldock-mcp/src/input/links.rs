//! Links of a call that its client has agreed to open.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use tokio::sync::mpsc;
use tooldock_engine::RawJson;

use super::Told;
use crate::wire::write_notification;

/// Links of a call that its client has agreed to open, by the ids that it knows them under. Clones are the same.
///
/// When the call has what it waited for, the client is told, so that it can close what it shows
/// (2025-11-25, Elicitation, `notifications/elicitation/complete`).
#[derive(Debug, Clone)]
pub(crate) struct Links {
    told: mpsc::Sender<Told>,
    agreed: Arc<Mutex<Vec<String>>>,
}

impl Links {
    /// None yet; `told` is the stream of the call.
    pub(crate) fn new(told: mpsc::Sender<Told>) -> Self {
        Self {
            told,
            agreed: Arc::default(),
        }
    }

    /// Remembers the link that `params` show, if `answer` agrees to open it.
    pub(super) fn note(&self, params: &RawJson, answer: &RawJson) {
        #[derive(Deserialize)]
        struct Link {
            #[serde(rename = "elicitationId")]
            id: String,
        }
        #[derive(Deserialize)]
        struct Answer {
            action: String,
        }
        let agrees = answer
            .parse::<Answer>()
            .is_ok_and(|answer| answer.action == "accept");
        if agrees && let Ok(link) = params.parse::<Link>() {
            self.change(|agreed| agreed.push(link.id));
        }
    }

    /// Tells that what the links were for is done.
    pub(crate) async fn complete(&self) {
        for id in self.change(std::mem::take) {
            let message = write_notification("notifications/elicitation/complete", |params| {
                params.string("elicitationId", &id);
            });
            // A client that is gone need not know.
            self.told.send(Told::Message(message)).await.ok();
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vec<String>) -> T) -> T {
        change(&mut self.agreed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
