//! A small HTTP client for the tests: JSON in, status and JSON out.

use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tooldock_judge::Exchange;
use ureq::http::{HeaderMap, Response};
use ureq::{Body, RequestBuilder};

use crate::Stream;
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
    fn of((status, text): (u16, String)) -> Self {
        let body = match status {
            0 => json!({"error": {"message": text}}),
            _ => serde_json::from_str(&text).unwrap_or_default(),
        };
        Self { status, body }
    }

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
    #[must_use]
    pub fn with(mut self, evidence: &Arc<Evidence>) -> Self {
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
        Answer::of(self.keep(self.fetch(path, headers).map(Came::whole)))
    }

    /// `GET path`; status and text of the answer.
    #[must_use]
    pub fn get_text(&self, path: &str) -> (u16, String) {
        self.keep(self.fetch(path, &[]).map(Came::whole))
    }

    /// `GET path` as an event stream that stays open; `None` when it is refused.
    #[must_use]
    pub fn stream(&self, path: &str, headers: &[(&str, &str)]) -> Option<Stream> {
        let headers = [&[("accept", "text/event-stream")], headers].concat();
        let came = self.fetch(path, &headers).ok()?;
        let opened = came.answer.status() == 200;
        opened.then(|| Stream::new(came.answer.into_body(), came.exchange, &self.evidence))
    }

    /// `POST path` with a JSON body, and the value of a header of the answer.
    #[must_use]
    pub fn post_for_header(&self, path: &str, body: &Value, header: &str) -> Option<String> {
        let headers = [("accept", "application/json, text/event-stream")];
        let came = self.send(path, &body.to_string(), &headers).ok()?;
        let value = came
            .answer
            .headers()
            .get(header)?
            .to_str()
            .ok()
            .map(str::to_owned);
        self.keep(Ok(came.whole()));
        value
    }

    /// `POST path` with a JSON body and further headers.
    #[must_use]
    pub fn post(&self, path: &str, body: &Value, headers: &[(&str, &str)]) -> Answer {
        Answer::of(self.post_raw(path, &body.to_string(), headers))
    }

    /// `POST path` with a text that is to be taken as JSON; status and text of the answer.
    #[must_use]
    pub fn post_raw(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> (u16, String) {
        self.keep(self.send(path, body, headers).map(Came::whole))
    }

    /// `DELETE path`; the status of the answer, 0 when there was none.
    #[must_use]
    pub fn delete(&self, path: &str, headers: &[(&str, &str)]) -> u16 {
        let request = self.agent.delete(format!("{}{path}", self.base_url));
        let answer = self.dress(request, headers).call();
        answer.map_or(0, |answer| answer.status().as_u16())
    }

    /// How long a `POST` takes until its whole answer is there; what the tests look for in it comes later and does not count.
    #[must_use]
    pub fn time_post(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> (Duration, String) {
        let begin = Instant::now();
        let whole = self.send(path, body, headers).map(Came::whole);
        let took = begin.elapsed();
        (took, self.keep(whole).1)
    }

    fn fetch(&self, path: &str, headers: &[(&str, &str)]) -> Result<Came, ureq::Error> {
        let request = self.dress(self.agent.get(format!("{}{path}", self.base_url)), headers);
        let exchange = Exchange::of(request.headers_ref().unwrap_or(&HeaderMap::new()), "");
        Ok(Came::new(request.call()?, exchange))
    }

    fn send(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> Result<Came, ureq::Error> {
        let request = self.agent.post(format!("{}{path}", self.base_url));
        let request = self.dress(request.header("content-type", "application/json"), headers);
        let exchange = Exchange::of(request.headers_ref().unwrap_or(&HeaderMap::new()), body);
        Ok(Came::new(request.send(body)?, exchange))
    }

    fn dress<B>(&self, request: RequestBuilder<B>, headers: &[(&str, &str)]) -> RequestBuilder<B> {
        let token = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let token = token.as_deref().map(|token| ("authorization", token));
        let headers = token.into_iter().chain(headers.iter().copied());
        headers.fold(request, |request, (name, value)| request.header(name, value))
    }

    /// Status and text of an answer; of none, 0 and the reason. Its messages are judged, and it is kept together with its head, as what is
    /// in them is looked at when the gateway ends.
    fn keep(&self, whole: Result<Whole, ureq::Error>) -> (u16, String) {
        match whole {
            Ok(mut whole) => {
                let text = String::from_utf8_lossy(&whole.bytes[whole.head..]).into_owned();
                whole.exchange.hear(&text);
                self.evidence.hear(whole.bytes);
                (whole.status, text)
            }
            Err(error) => (0, error.to_string()),
        }
    }
}

/// An answer that begins to come.
struct Came {
    answer: Response<Body>,
    exchange: Exchange,
}

/// One that has come.
struct Whole {
    status: u16,
    /// Head and body.
    bytes: Vec<u8>,
    /// Where the body begins.
    head: usize,
    exchange: Exchange,
}

impl Came {
    fn new(answer: Response<Body>, exchange: Exchange) -> Self {
        let exchange = exchange.answered(answer.headers());
        Self { answer, exchange }
    }

    /// Reads it to its end. A body that breaks off is none.
    fn whole(mut self) -> Whole {
        let mut bytes = format!("{:?}\n", self.answer.headers()).into_bytes();
        let head = bytes.len();
        let mut body = self.answer.body_mut().with_config().limit(MOST).reader();
        if body.read_to_end(&mut bytes).is_err() {
            bytes.truncate(head);
        }
        Whole {
            status: self.answer.status().as_u16(),
            bytes,
            head,
            exchange: self.exchange,
        }
    }
}
