//! How far an event stream has been read, so that it can be taken up again.

use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use tooldock_engine::RawJson;

use super::{UpstreamError, UpstreamSettings, events::Events};

/// The header that says how far a stream was read.
const LAST_EVENT_ID: &str = "last-event-id";
/// The longest that a server may let us wait.
const LONGEST: Duration = Duration::from_secs(60);

/// How far an event stream has been read.
#[derive(Debug)]
pub(super) struct Place {
    last: Option<HeaderValue>,
    /// How long to wait before the stream is taken up again.
    pub(super) retry: Duration,
    /// How often in a row it was taken up and brought nothing.
    pub(super) barren: u32,
}

impl Place {
    pub(super) fn start(settings: &UpstreamSettings) -> Self {
        Self {
            last: None,
            retry: settings.retry,
            barren: 0,
        }
    }

    /// Whether the server can be asked for what comes next.
    pub(super) fn is_named(&self) -> bool {
        self.last.is_some()
    }

    /// Forgets it: what comes next is another stream.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }

    /// Adds what asks for what comes next.
    pub(super) fn extend(&self, headers: &mut HeaderMap) {
        if let Some(last) = &self.last {
            headers.insert(LAST_EVENT_ID, last.clone());
        }
    }

    /// The next message of `events`; nothing at the end of the stream. What is no JSON is skipped.
    ///
    /// # Cancel safety
    /// Safe: no message is lost.
    pub(super) async fn read(&mut self, events: &mut Events) -> Result<Option<RawJson>, UpstreamError> {
        while let Some(event) = events.next().await? {
            self.barren = 0;
            if let Some(id) = event.id {
                self.last = HeaderValue::from_str(&id).ok().filter(|id| !id.is_empty());
            }
            if let Some(retry) = event.retry {
                self.retry = retry.min(LONGEST);
            }
            if event.data.is_empty() {
                continue;
            }
            match RawJson::scan(event.data, events.limits()) {
                Ok(message) => return Ok(Some(message)),
                Err(fault) => tracing::warn!(%fault, "an event of the server is no message and is skipped"),
            }
        }
        Ok(None)
    }
}
