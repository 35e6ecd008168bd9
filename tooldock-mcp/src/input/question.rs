//! A question on its way to the client.

use std::sync::Arc;

use serde::Deserialize;
use tokio::sync::oneshot;
use tooldock_engine::{
    EngineError, ErrorKind, RawJson,
    context::{Ask, AskKind},
    error::Result,
    json::{Members, ObjectWriter},
};

use super::{Abilities, form};
use crate::{
    random::random_name,
    revision::{Era, Feature, Revision},
};

/// What a running call has for its client besides notes.
#[derive(Debug)]
pub(crate) enum Told {
    /// A message of the handshake era, ready to travel.
    Message(RawJson),
    /// A question, for a client of the modern era.
    Question(Question),
}

/// A question that waits for a client of the modern era.
#[derive(Debug)]
pub(crate) struct Question {
    key: Option<Arc<str>>,
    /// `{method, params}`.
    request: RawJson,
    answer: oneshot::Sender<RawJson>,
}

impl Question {
    pub(super) fn new(
        key: Option<Arc<str>>,
        kind: AskKind,
        params: &RawJson,
    ) -> (Self, oneshot::Receiver<RawJson>) {
        let (answer, waiting) = oneshot::channel();
        let mut request = ObjectWriter::with_capacity(params.len() + 64);
        request.string("method", kind.method()).raw("params", params);
        let request = request.finish();
        (Self { key, request, answer }, waiting)
    }
}

/// The open questions of one call, each under a name of its own.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    open: Vec<(Arc<str>, Question)>,
    named: usize,
}

impl Questions {
    /// Adds a question; one without a name, or with the name of another, gets a new one.
    pub(crate) fn add(&mut self, question: Question) {
        let wanted = question.key.clone();
        let key = wanted
            .filter(|key| !self.has(key))
            .unwrap_or_else(|| self.next_key());
        self.open.push((key, question));
    }

    fn has(&self, key: &str) -> bool {
        self.open.iter().any(|(known, _)| **known == *key)
    }

    fn next_key(&mut self) -> Arc<str> {
        loop {
            self.named += 1;
            let key = format!("q{}", self.named);
            if !self.has(&key) {
                return key.into();
            }
        }
    }

    /// Forgets the questions whose calls no longer wait; whether any is left.
    pub(crate) fn prune(&mut self) -> bool {
        self.open.retain(|(_, question)| !question.answer.is_closed());
        !self.open.is_empty()
    }

    /// Gives the answers that `find` finds; whether there was one.
    pub(crate) fn answer(&mut self, find: impl Fn(&str) -> Option<RawJson>) -> bool {
        let mut answered = false;
        let open = std::mem::take(&mut self.open);
        for (key, question) in open {
            match find(&key) {
                Some(answer) => {
                    answered = true;
                    // A call that no longer waits hears nothing.
                    question.answer.send(answer).ok();
                }
                None => self.open.push((key, question)),
            }
        }
        answered
    }

    /// `inputRequests`.
    pub(crate) fn write(&self) -> RawJson {
        let mut out = ObjectWriter::new();
        for (key, question) in &self.open {
            out.raw(key, &question.request);
        }
        out.finish()
    }
}

/// The parameters of a question as the client's revision has them.
pub(super) fn fit(ask: &Ask, revision: Revision, abilities: Abilities) -> Result<RawJson> {
    let params = &ask.params;
    match ask.kind {
        AskKind::ElicitForm if !revision.has(Feature::ElicitationUrl) => fit_form(params),
        AskKind::ElicitUrl if revision.era() == Era::Modern => Ok(without(params, "elicitationId")),
        AskKind::ElicitUrl => with_id(params),
        AskKind::Sample if !abilities.sample_tools && has_tools(params) => Err(EngineError::new(
            ErrorKind::InputRequired,
            "the tool wants the client's model to use tools (`sampling.tools`), which this client does not offer",
        )),
        _ => Ok(params.clone()),
    }
}

fn without(params: &RawJson, member: &str) -> RawJson {
    let mut out = ObjectWriter::with_capacity(params.len());
    out.members(params, &[member]);
    out.finish()
}

/// A form for 2025-06-18, which has one mode only.
fn fit_form(params: &RawJson) -> Result<RawJson> {
    #[derive(Deserialize)]
    struct Form<'a> {
        #[serde(borrow, rename = "requestedSchema")]
        schema: Option<&'a serde_json::value::RawValue>,
    }
    let form = params.parse::<Form<'_>>().ok().and_then(|form| form.schema);
    let mut out = ObjectWriter::with_capacity(params.len());
    out.members(params, &["mode", "requestedSchema"]);
    if let Some(schema) = form {
        out.raw("requestedSchema", &form::lower(&params.part(schema))?);
    }
    Ok(out.finish())
}

/// 2025-11-25 names each link it shows.
fn with_id(params: &RawJson) -> Result<RawJson> {
    #[derive(Deserialize)]
    struct Link {
        #[serde(rename = "elicitationId")]
        id: Option<String>,
    }
    if params.parse::<Link>().is_ok_and(|link| link.id.is_some()) {
        return Ok(params.clone());
    }
    let mut out = ObjectWriter::with_capacity(params.len() + 64);
    out.members(params, &["elicitationId"]);
    out.string("elicitationId", &random_name()?);
    Ok(out.finish())
}

fn has_tools(params: &RawJson) -> bool {
    #[derive(Deserialize)]
    struct Sampling {
        tools: Option<serde::de::IgnoredAny>,
        #[serde(rename = "toolChoice")]
        choice: Option<serde::de::IgnoredAny>,
    }
    params
        .parse::<Sampling>()
        .is_ok_and(|sampling| sampling.tools.is_some() || sampling.choice.is_some())
}

/// The questions of an engine that answers with them.
///
/// # Errors
/// When they have another form.
pub(super) fn read_all(requests: &RawJson) -> Result<Vec<Ask>> {
    #[derive(Deserialize)]
    struct Entry<'a> {
        method: &'a str,
        #[serde(borrow)]
        params: Option<&'a serde_json::value::RawValue>,
    }
    #[derive(Deserialize)]
    struct Mode<'a> {
        mode: Option<&'a str>,
    }
    let broken = || {
        let text = "the namespace asks something that is no question of the protocol";
        EngineError::new(ErrorKind::Internal, text)
    };
    let Members(members) = requests.parse().map_err(|_| broken())?;
    let read = |(key, value): (std::borrow::Cow<'_, str>, &serde_json::value::RawValue)| {
        let entry: Entry<'_> = serde_json::from_str(value.get()).ok()?;
        let params = entry
            .params
            .map_or_else(RawJson::empty_object, |params| requests.part(params));
        let by_link = params
            .parse::<Mode<'_>>()
            .is_ok_and(|params| params.mode == Some("url"));
        let kind = AskKind::ALL
            .into_iter()
            .find(|kind| kind.method() == entry.method && (*kind != AskKind::ElicitForm || !by_link))?;
        Some(Ask::new(kind, params).with_key(key))
    };
    members
        .into_iter()
        .map(read)
        .collect::<Option<_>>()
        .ok_or_else(broken)
}
