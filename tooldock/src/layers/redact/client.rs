//! A client that is told no known value.

use std::sync::Arc;

use async_trait::async_trait;
use tooldock_engine::{
    RawJson,
    context::{Ask, AskKind, Client, ClientChannel, Note},
    error::Result,
    secret::{Redactor, redact_json, redact_text},
};

/// Passes notes and questions on without known values. What the client answers is passed on as it is.
#[derive(Debug)]
pub(super) struct Redacting {
    client: Client,
    redactor: Arc<dyn Redactor>,
}

impl Redacting {
    pub(super) fn new(client: Client, redactor: Arc<dyn Redactor>) -> Self {
        Self { client, redactor }
    }

    fn clean(&self, note: Note) -> Result<Note> {
        let text =
            |part: Option<String>| part.map(|part| redact_text(&*self.redactor, &part).unwrap_or(part));
        let json = |part: &RawJson| redact_json(&*self.redactor, part);
        Ok(match note {
            Note::Progress {
                progress,
                total,
                message,
            } => Note::Progress {
                progress,
                total,
                message: text(message),
            },
            Note::Log { level, logger, data } => Note::Log {
                level,
                logger: text(logger),
                data: json(&data)?,
            },
            other => other,
        })
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ClientChannel for Redacting {
    fn supports(&self, kind: AskKind) -> bool {
        self.client.supports(kind)
    }

    fn notify(&self, note: Note) {
        // A note that cannot be shown is not told.
        if let Ok(note) = self.clean(note) {
            self.client.notify(note);
        }
    }

    async fn ask(&self, mut ask: Ask) -> Result<RawJson> {
        ask.params = redact_json(&*self.redactor, &ask.params)?;
        self.client.ask(ask).await
    }
}
