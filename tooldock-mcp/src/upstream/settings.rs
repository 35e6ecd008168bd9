//! How a server is reached, and the limits of what it may do to us.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use tooldock_engine::json::ScanLimits;

use super::Address;

/// How a server is reached, and the limits of what it may do to us.
///
/// ```
/// use tooldock_mcp::upstream::UpstreamSettings;
/// let settings = UpstreamSettings::new("http://127.0.0.1:8000/demo/mcp".parse()?).bearer("a-token")?;
/// assert!(!format!("{settings:?}").contains("a-token"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct UpstreamSettings {
    /// Where it is.
    pub address: Address,
    /// What is sent with every request. Nothing of it follows a redirect to another origin.
    pub headers: HeaderMap,
    /// Bytes of one message of the server: 64 MiB.
    pub message_bytes: usize,
    /// Depth and count of the values of one message of the server.
    pub message_limits: ScanLimits,
    /// How long opening a connection may take: 10 s.
    pub connect: Duration,
    /// How long the server may be silent while an answer is due: 300 s. A comment on an event stream is not silence.
    pub silence: Duration,
    /// How long a message waits for a server that cannot be reached or is not ready: 5 s, enough for a restart.
    pub patience: Duration,
    /// How long to wait before a broken stream is taken up again, where the server does not say: 1 s.
    pub retry: Duration,
    /// How often in a row a stream is taken up again that brings nothing new: 8 times.
    pub resumptions: u32,
}

impl UpstreamSettings {
    /// The defaults, for the server at `address`.
    #[must_use]
    pub fn new(address: Address) -> Self {
        Self {
            address,
            headers: HeaderMap::new(),
            message_bytes: 64 << 20,
            message_limits: ScanLimits::RESULT,
            connect: Duration::from_secs(10),
            silence: Duration::from_secs(300),
            patience: Duration::from_secs(5),
            retry: Duration::from_secs(1),
            resumptions: 8,
        }
    }

    /// Sends `token` as `Authorization: Bearer …`; it is shown nowhere.
    ///
    /// # Errors
    /// When the token has characters that no header can carry.
    pub fn bearer(mut self, token: &str) -> Result<Self, http::header::InvalidHeaderValue> {
        let mut value = HeaderValue::from_str(&format!("Bearer {token}"))?;
        value.set_sensitive(true);
        self.headers.insert(AUTHORIZATION, value);
        Ok(self)
    }
}
