//! One request over HTTP, and what is said to it.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use http::HeaderMap;
use serde_json::Value;

use crate::Judge;

/// The revision of each session that was opened in this process, by its id. No two servers give the same id.
static SESSIONS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// One request over HTTP, and what is said to it: every message in it is judged by the schema of the revision that is spoken, which is
/// that of the session, where there is one, whatever the headers of the request say or leave out.
#[derive(Debug, Clone, Default)]
pub struct Exchange {
    judge: Judge,
    /// The session that the response names.
    session: Option<String>,
}

impl Exchange {
    /// Begins with the headers and the body of the request.
    #[must_use]
    pub fn of(headers: &HeaderMap, asked: &str) -> Self {
        let session = text(headers, "mcp-session-id");
        let known = session.and_then(|id| sessions().get(&id).cloned());
        let revision = known.or_else(|| text(headers, "mcp-protocol-version"));
        Self {
            judge: Judge::of(revision, asked),
            session: None,
        }
    }

    /// Goes on with the headers of the response.
    #[must_use]
    pub fn answered(mut self, headers: &HeaderMap) -> Self {
        self.session = text(headers, "mcp-session-id");
        self
    }

    /// Judges the answers to another message as well, which was sent by itself, as the transport of 2024-11-05 does.
    pub fn note(&mut self, asked: &Value) {
        self.judge.note(asked);
    }

    /// Judges a whole body, or whole lines of an event stream; tells how many messages there were in it.
    ///
    /// # Panics
    ///
    /// When one is not what the published schema says.
    pub fn hear(&mut self, said: &str) -> usize {
        let events = said.lines().filter_map(|line| line.strip_prefix("data:"));
        let messages = events
            .chain([said])
            .filter_map(|text| serde_json::from_str::<Value>(text).ok());
        let is_message = |value: &Value| value["jsonrpc"].is_string() || value[0]["jsonrpc"].is_string();
        let messages = messages.filter(is_message);
        let count = messages.map(|message| self.judge.check(&message)).count();
        if let (Some(session), Some(revision)) = (&self.session, self.judge.revision()) {
            sessions()
                .entry(session.clone())
                .or_insert_with(|| revision.to_owned());
        }
        count
    }
}

fn sessions() -> MutexGuard<'static, BTreeMap<String, String>> {
    SESSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}
