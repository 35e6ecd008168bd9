//! A small HTTP client for the tests: JSON in, status and JSON out.

use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tooldock_judge::Judge;
use ureq::{Body, http::Response};

use crate::evidence::Evidence;

/// Bytes an answer may have.
const MOST: u64 = 1 << 30;

/// A client of one gateway. Keeps its connections; clones share them.
#[derive(Debug, Clone)]
pub struct Http {
    agent: ureq::Agent,
    base_url: String,
    token: Option<String>,
    evidence: Arc<Evidence>,
}

/// Status and body of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The HTTP status; 0 when there was no answer.
    pub status: u16,
    /// The body as JSON; null when it is none.
    pub body: Value,
}

impl Answer {
    /// The text of the error in it; empty when there is none.
    #[must_use]
    pub fn error(&self) -> &str {
        self.body["error"]["message"].as_str().unwrap_or_default()
    }
}

impl Http {
    /// A client of the gateway at `base_url` that sends `token`.
    #[must_use]
    pub fn new(base_url: &str, token: Option<&str>) -> Self {
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        Self {
            agent: config.into(),
            base_url: base_url.to_owned(),
            token: token.map(str::to_owned),
            evidence: Arc::new(Evidence::of_a_gateway()),
        }
    }

    /// The same client, whose answers are looked at together with everything else that comes from its gateway.
    pub(crate) fn with(mut self, evidence: &Arc<Evidence>) -> Self {
        self.evidence = Arc::clone(evidence);
        self
    }

    /// `GET path`.
    #[must_use]
    pub fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    /// `GET path` with further headers.
    #[must_use]
    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.agent.get(format!("{}{path}", self.base_url));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.read(request.call())
    }

    /// `GET path`; status and text of the answer.
    #[must_use]
    pub fn get_text(&self, path: &str) -> (u16, String) {
        let mut request = self.agent.get(format!("{}{path}", self.base_url));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        match request.call() {
            Ok(mut answer) => (answer.status().as_u16(), self.text(&mut answer)),
            Err(error) => (0, error.to_string()),
        }
    }

    /// `GET path` as an event stream that stays open; `None` when it is refused.
    #[must_use]
    pub fn stream(&self, path: &str, headers: &[(&str, &str)]) -> Option<ureq::Body> {
        let mut request = self.agent.get(format!("{}{path}", self.base_url));
        request = request.header("accept", "text/event-stream");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request.call().ok()?;
        (answer.status() == 200).then(|| answer.into_body())
    }

    /// `POST path` with a JSON body, and the value of a header of the answer.
    #[must_use]
    pub fn post_for_header(&self, path: &str, body: &Value, header: &str) -> Option<String> {
        let mut request = self.agent.post(format!("{}{path}", self.base_url));
        request = request
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut answer = request.send(body.to_string()).ok()?;
        self.text(&mut answer);
        answer.headers().get(header)?.to_str().ok().map(str::to_owned)
    }

    /// `POST path` with a JSON body and further headers.
    #[must_use]
    pub fn post(&self, path: &str, body: &Value, headers: &[(&str, &str)]) -> Answer {
        let body = body.to_string();
        let answer = self.read(self.send(path, &body, headers));
        judge(&body, headers, &answer.body.to_string());
        answer
    }

    /// `POST path` with a text that is to be taken as JSON; status and text of the answer.
    #[must_use]
    pub fn post_raw(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> (u16, String) {
        match self.send(path, body, headers) {
            Ok(mut answer) => {
                let text = self.text(&mut answer);
                judge(body, headers, &text);
                (answer.status().as_u16(), text)
            }
            Err(error) => (0, error.to_string()),
        }
    }

    /// How long a `POST` takes until its whole answer is there; what the tests look for in it comes later and does not count.
    #[must_use]
    pub fn time_post(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> (Duration, String) {
        let begin = Instant::now();
        let answer = self.send(path, body, headers);
        let text = answer.map_or_else(|error| error.to_string(), |mut answer| self.text(&mut answer));
        let took = begin.elapsed();
        judge(body, headers, &text);
        (took, text)
    }

    fn send(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> Result<Response<Body>, ureq::Error> {
        let mut request = self.agent.post(format!("{}{path}", self.base_url));
        request = request.header("content-type", "application/json");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send(body)
    }

    fn read(&self, answer: Result<Response<Body>, ureq::Error>) -> Answer {
        match answer {
            Ok(mut answer) => Answer {
                status: answer.status().as_u16(),
                body: serde_json::from_str(&self.text(&mut answer)).unwrap_or_default(),
            },
            Err(error) => Answer {
                status: 0,
                body: serde_json::json!({"error": {"message": error.to_string()}}),
            },
        }
    }

    /// The body. It is kept together with the head, as what is in them is looked at when the gateway ends.
    fn text(&self, answer: &mut Response<Body>) -> String {
        let mut whole = format!("{:?}\n", answer.headers()).into_bytes();
        let head = whole.len();
        let mut body = answer.body_mut().with_config().limit(MOST).reader();
        if body.read_to_end(&mut whole).is_err() {
            whole.truncate(head);
        }
        let text = String::from_utf8_lossy(&whole[head..]).into_owned();
        self.evidence.hear(whole);
        text
    }
}

/// Checks each message of MCP in `said`, a body of JSON or an event stream, as an answer to `asked`.
fn judge(asked: &str, headers: &[(&str, &str)], said: &str) {
    let header = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("mcp-protocol-version"));
    let mut judge = Judge::of(header.map(|(_, revision)| (*revision).to_owned()), asked);
    let events = said.lines().filter_map(|line| line.strip_prefix("data:"));
    for text in events.chain([said]) {
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        if message["jsonrpc"].is_string() {
            judge.check(&message);
        }
    }
}
