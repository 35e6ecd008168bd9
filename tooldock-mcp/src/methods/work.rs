//! A request that an engine answers.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tooldock_engine::{
    CallContext, Catalog, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson, context::note_channel,
    error::Result as EngineResult,
};

use crate::{
    call::{Entered, Hearing, Line, Outcome, Running, Task, Voice, Wishes},
    input::{Abilities, Asker, Carrier, Links, Received, Returned, Subject, serve_asking},
    methods::{Encoder, Turn, client},
    refusal::{Refusal, code},
    revision::Era,
    wire::{MessageId, Request, write_error},
};

/// A request that an engine answers, with what is known before it does.
pub(super) struct Work {
    pub(super) turn: Turn,
    pub(super) catalog: Arc<Catalog>,
    id: MessageId,
    wishes: Wishes,
    abilities: Abilities,
    returned: Returned,
    subject: Subject,
    /// Links that a client of a session is told of when the call has ended.
    links: Option<Links>,
    cx: CallContext,
    cancel: CancellationToken,
}

/// Writes the response that tells how it ended.
type Encode = Box<dyn FnOnce(&Encoder, &MessageId, EngineResult<EngineReply>) -> RawJson + Send>;

/// Questions and messages of one call that may wait to travel.
const TOLD_WAITING: usize = 16;

impl Work {
    pub(super) async fn begin(turn: Turn, request: &Request) -> Result<Self, Refusal> {
        let wishes = client::wishes(&turn, &request.params)?;
        let cancel = turn.cancel_token();
        let cx = turn.context(request.params.meta()).with_cancel(cancel.clone());
        let returned = match turn.era() {
            Era::Modern => Returned::read(&request.params)?,
            Era::Handshake => Returned::default(),
        };
        let principal = &turn.inner().info.caller.principal;
        Ok(Self {
            catalog: turn.catalog(&cx)?,
            id: request.id.clone(),
            abilities: client::abilities(&turn, &request.params),
            subject: Subject::new(principal, &turn.mount.namespace, request),
            turn,
            wishes,
            returned,
            links: None,
            cx,
            cancel,
        })
    }

    /// Lets the engine answer `asked`, for as long as the era says, with what it tells and asks on the way; or goes on with the call for
    /// which the client brings answers. `encode` writes the response that tells how it ended.
    pub(super) fn run(
        self,
        asked: EngineRequest,
        encode: impl FnOnce(&Encoder, &MessageId, EngineResult<EngineReply>) -> RawJson + Send + 'static,
    ) -> Result<Running, Refusal> {
        let encode: Encode = Box::new(encode);
        let desk = &self.turn.inner().server.shared().desk;
        // Before anything is taken from the desk: a refused request uses nothing up.
        let entered = self.turn.enter(&self.id, self.cancel.clone())?;
        Ok(match desk.receive(&self.returned, &self.subject)? {
            Received::Begin(answers, round) => {
                let asked = match answers {
                    Some(answers) => asked.with_answers(answers),
                    None => asked,
                };
                self.start(entered, asked, encode, round)
            }
            Received::Parked(task) => self.go_on(entered, task, encode),
        })
    }

    fn start(mut self, entered: Entered, asked: EngineRequest, encode: Encode, round: u8) -> Running {
        let line = self.open_line();
        let (mut with_call, mut with_exchange) = (None, None);
        match self.turn.era() {
            Era::Handshake => with_call = Some(entered),
            Era::Modern => with_exchange = Some(entered),
        }
        let (engine, cx, stop) = (
            self.turn.mount.engine.clone(),
            self.cx.clone(),
            self.cancel.clone(),
        );
        let (era, rounds) = (self.turn.era(), self.turn.inner().server.settings().input.rounds);
        let links = self.links.take();
        let work = async move {
            let _entered = with_call;
            let serve = async {
                let outcome = match era {
                    // In a box: it is several times as large as the call that asks nothing.
                    Era::Handshake => Box::pin(serve_asking(engine, cx, asked, rounds)).await,
                    Era::Modern => engine.serve(cx, asked).await,
                };
                if let (Ok(_), Some(links)) = (&outcome, links) {
                    links.complete().await;
                }
                outcome
            };
            tokio::select! {
                biased;
                outcome = serve => outcome,
                () = stop.cancelled() => Err(EngineError::new(ErrorKind::Cancelled, "the call was cancelled")),
            }
        };
        let calls = &self.turn.inner().server.shared().calls;
        let task = Task::start(work, self.turn.lifetime(), self.cancel.clone(), calls, line);
        self.running(task, with_exchange, encode, round)
    }

    /// Goes on with a call that was parked, under the id of this request.
    fn go_on(self, entered: Entered, task: Task, encode: Encode) -> Running {
        entered.stands_for(task.cancel().clone());
        if let Some(hearing) = task.hearing() {
            let streams = self.turn.inner().info.streams;
            let wishes = if streams {
                self.wishes.clone()
            } else {
                Wishes::default()
            };
            hearing.set(wishes, self.abilities);
        }
        self.running(task, Some(entered), encode, 0)
    }

    /// Where the call is heard, if its client wants to hear anything or can be asked. Within a session only a stream carries questions.
    fn open_line(&mut self) -> Option<Line> {
        let inner = self.turn.inner();
        if !inner.info.streams {
            self.wishes = Wishes::default();
            if self.turn.era() == Era::Handshake {
                self.abilities = Abilities::default();
            }
        }
        if !self.wishes.any() && !self.abilities.any() {
            return None;
        }
        let (told, asked) = mpsc::channel(TOLD_WAITING);
        let (channel, notes) = note_channel();
        let hearing = Hearing::new(self.wishes.clone(), self.abilities);
        let links = Links::new(told.clone());
        self.links = self.turn.session().map(|_| links.clone());
        let asker = Asker {
            notes: channel,
            hearing: hearing.clone(),
            told,
            links,
            revision: self.turn.revision(),
            carrier: match self.turn.session() {
                Some(session) => Carrier::Session(session.asked().clone()),
                None => Carrier::Exchange(std::mem::take(&mut self.returned)),
            },
            principal: inner.info.caller.principal.clone(),
            places: inner.server.shared().desk.places().clone(),
            limit: inner.server.settings().input.timeout,
        };
        self.cx = self.cx.clone().with_client(asker);
        Some(Line {
            notes,
            told: asked,
            hearing,
        })
    }

    fn running(self, task: Task, entered: Option<Entered>, encode: Encode, round: u8) -> Running {
        let Self {
            turn,
            catalog,
            id,
            wishes,
            abilities,
            subject,
            ..
        } = self;
        let voice = Voice::new(turn.revision(), wishes);
        let encoder = turn.encoder(Some(&catalog));
        let inner = turn.inner();
        let streams = inner.info.streams;
        let patience = streams.then(|| inner.server.settings().patience(turn.revision()));
        let (server, era) = (turn.inner().server.clone(), turn.era());
        let respond = move |outcome: Outcome| {
            let desk = &server.shared().desk;
            let asking = match outcome {
                Outcome::Broke => {
                    let text = "the gateway broke during the call; the log has the cause";
                    return write_error(Some(&id), code::INTERNAL, text, None);
                }
                Outcome::Asks(task) => desk.park(task, &subject),
                Outcome::Ended(Ok(EngineReply::InputRequired(required))) if era == Era::Modern => {
                    desk.pass(required, abilities, round, &subject)
                }
                Outcome::Ended(ended) => return encode(&encoder, &id, ended),
            };
            match asking {
                Ok(asking) => encoder.input_required(&id, &asking),
                Err(error) => encode(&encoder, &id, Err(error)),
            }
        };
        Running::new(task, entered, voice, patience, Box::new(respond))
    }
}
