//! What was agreed on at `initialize`.

use http::{HeaderMap, HeaderValue};
use tooldock_engine::RawJson;

use crate::revision::Revision;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";
/// The header that names a revision.
pub(super) const VERSION: &str = "mcp-protocol-version";

/// What was agreed on at `initialize`, and how, so that it can be agreed on again.
#[derive(Debug)]
pub(super) struct Agreed {
    /// The request that opened the session.
    pub(super) opening: RawJson,
    /// The revision the server named.
    pub(super) version: String,
    /// The session, if the server keeps one.
    session: Option<HeaderValue>,
}

impl Agreed {
    /// Reads what the server said to `opening`; nothing if that was a refusal.
    pub(super) fn read(opening: RawJson, headers: &HeaderMap, result: &RawJson) -> Option<Self> {
        #[derive(serde::Deserialize)]
        struct Result {
            #[serde(rename = "protocolVersion")]
            version: String,
        }
        let Result { version } = result.parse().ok()?;
        Some(Self {
            opening,
            version,
            session: headers.get(SESSION).cloned(),
        })
    }

    pub(super) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    /// Adds what every message of the session carries (2025-06-18, Transports: the version from then on).
    pub(super) fn extend(&self, headers: &mut HeaderMap) {
        if let Some(session) = &self.session {
            headers.insert(SESSION, session.clone());
        }
        let silent = [Revision::V2024_11_05, Revision::V2025_03_26];
        let named = !Revision::named(&self.version).is_some_and(|revision| silent.contains(&revision));
        if let (true, Ok(version)) = (named, HeaderValue::from_str(&self.version)) {
            headers.insert(VERSION, version);
        }
    }
}
