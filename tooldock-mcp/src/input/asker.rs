//! A client as its running call sees it.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::{sync::mpsc, time::timeout};
use tooldock_engine::{
    EngineError, ErrorKind, RawJson,
    context::{Ask, AskKind, ClientChannel, Note, Principal},
    error::Result,
};

use super::{Asked, Links, Question, Returned, Told, question::fit};
use crate::{call::Hearing, revision::Revision, watch::Places};

/// A client as its running call sees it: what it wants to hear, and what it can be asked.
#[derive(Debug)]
pub(crate) struct Asker<C> {
    /// Takes the notes.
    pub(crate) notes: C,
    pub(crate) hearing: Hearing,
    pub(crate) told: mpsc::Sender<Told>,
    /// Links of a session that are to be told of when the call has ended.
    pub(crate) links: Links,
    pub(crate) revision: Revision,
    pub(crate) carrier: Carrier,
    pub(crate) principal: Principal,
    /// Places for questions.
    pub(crate) places: Places,
    /// How long a question waits.
    pub(crate) limit: Duration,
}

/// How a question reaches the client.
#[derive(Debug)]
pub(crate) enum Carrier {
    /// As a request within the session.
    Session(Arc<Asked>),
    /// As the answer to the client's own request, unless that brought the answer along.
    Exchange(Returned),
}

impl<C: ClientChannel> Asker<C> {
    async fn put(&self, ask: Ask, params: RawJson) -> Result<RawJson> {
        let gone = || {
            EngineError::new(
                ErrorKind::Cancelled,
                "the client is gone, so nobody can answer the tool",
            )
        };
        match &self.carrier {
            Carrier::Session(asked) => {
                let outcome = asked.ask(&self.told, ask.kind.method(), &params).await?;
                let answer = read(ask.kind, outcome.ok_or_else(gone)?)?;
                if ask.kind == AskKind::ElicitUrl {
                    self.links.note(&params, &answer);
                }
                Ok(answer)
            }
            Carrier::Exchange(_) => {
                let (question, waiting) = Question::new(ask.key, ask.kind, &params);
                let told = self.told.send(Told::Question(question)).await;
                told.map_err(|_| gone())?;
                waiting.await.map_err(|_| gone())
            }
        }
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<C: ClientChannel> ClientChannel for Asker<C> {
    fn supports(&self, kind: AskKind) -> bool {
        self.hearing.abilities().has(kind)
    }

    fn notify(&self, note: Note) {
        if self.hearing.wants(&note) {
            self.notes.notify(note);
        }
    }

    async fn ask(&self, ask: Ask) -> Result<RawJson> {
        let params = fit(&ask, self.revision, self.hearing.abilities())?;
        if let (Carrier::Exchange(returned), Some(key)) = (&self.carrier, &ask.key)
            && let Some(answer) = returned.answer(key)
        {
            return Ok(answer);
        }
        let _place = self.places.take(&self.principal)?;
        let method = ask.kind.method();
        timeout(self.limit, self.put(ask, params)).await.unwrap_or_else(|_| {
            let text = format!(
                "the client was asked (`{method}`) and did not answer within {} s (INPUT_TIMEOUT_SECONDS)",
                self.limit.as_secs_f64()
            );
            Err(EngineError::new(ErrorKind::Timeout, text))
        })
    }
}

/// The answer that a client of the handshake era gave.
fn read(kind: AskKind, outcome: std::result::Result<RawJson, RawJson>) -> Result<RawJson> {
    #[derive(serde::Deserialize)]
    struct Told {
        message: String,
    }
    let why = match outcome {
        Ok(result) if result.is_object() => return Ok(result),
        Ok(_) => "its result is no object".to_owned(),
        Err(error) => error.parse::<Told>().map_or_else(
            |_| "it says nothing more".to_owned(),
            |told| told.message.chars().take(512).collect(),
        ),
    };
    let text = format!("the client refused to answer (`{}`): {why}", kind.method());
    Err(EngineError::new(ErrorKind::InputRequired, text))
}
