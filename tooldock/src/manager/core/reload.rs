//! Reloads of the core, followed as they happen.

use std::collections::{BTreeSet, VecDeque};

use bytes::Bytes;
use http::Method;
use serde::{Deserialize, Serialize};
use tooldock_engine::error::Result;
use tooldock_mcp::upstream::sse::Decoder;

use super::{
    super::{progress::Steps, refusal::refuse},
    CoreClient, MOST,
};

/// What a reload is asked for.
#[derive(Debug, Default, Serialize)]
pub(in super::super) struct Wish<'a> {
    /// Put this namespace back to the version before first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) namespace: Option<&'a str>,
    pub(in super::super) rollback: bool,
}

/// What a reload did.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Reloaded {
    pub(in super::super) ok: bool,
    pub(in super::super) namespaces: Vec<Outcome>,
    #[serde(default)]
    pub(in super::super) rejected: Vec<super::state::Rejected>,
    #[serde(default)]
    pub(in super::super) error: Option<String>,
    /// Namespaces that told what they do: installations take long, and nothing else does.
    #[serde(skip)]
    pub(in super::super) installed: Vec<String>,
}

/// What a reload did with one namespace.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Outcome {
    pub(in super::super) namespace: String,
    pub(in super::super) action: String,
    #[serde(default)]
    pub(in super::super) error: Option<String>,
}

/// One event: what happens, or what came of it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Event {
    Report(Reloaded),
    Happened {
        namespace: String,
        event: String,
        text: Option<String>,
    },
    Error {
        message: String,
    },
}

impl CoreClient {
    /// Has the core load what has changed, and tells what it does meanwhile.
    pub(in super::super) async fn reload(&self, wish: &Wish<'_>, steps: &Steps) -> Result<Reloaded> {
        let patience = self.address.patience;
        let body = serde_json::to_vec(wish).unwrap_or_default();
        let mut response = self
            .send(
                Method::POST,
                "/reload",
                "text/event-stream",
                Bytes::from(body),
                patience,
            )
            .await?;
        let status = response.status();
        let mut installed = BTreeSet::new();
        let (mut decoder, mut events) = (Decoder::new(MOST), VecDeque::new());
        while let Some(chunk) = self.chunk(&mut response, patience).await? {
            decoder
                .feed(&chunk, &mut events)
                .map_err(|_| self.nonsense(status))?;
            for event in events.drain(..).filter(|event| !event.data.is_empty()) {
                match serde_json::from_slice(&event.data) {
                    Ok(Event::Report(report)) => {
                        let installed = installed.into_iter().collect();
                        return Ok(Reloaded { installed, ..report });
                    }
                    Ok(Event::Error { message }) => return Err(refuse(message)),
                    Ok(Event::Happened {
                        namespace,
                        event,
                        text,
                    }) => {
                        steps.tell(&format!("{namespace}: {}", text.as_ref().unwrap_or(&event)));
                        installed.extend(text.map(|_| namespace));
                    }
                    Err(error) => return Err(self.nonsense(status).with_source(error)),
                }
            }
        }
        Err(self.nonsense(status))
    }
}
