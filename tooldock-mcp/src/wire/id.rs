//! The id of a request.

use tooldock_engine::RawJson;

/// The id of a request or a progress token: a text of at most 256 bytes or a 64-bit integer, echoed byte for byte.
///
/// Two ids are equal when their bytes are.
///
/// ```
/// use tooldock_engine::RawJson;
/// use tooldock_mcp::wire::MessageId;
/// assert!(MessageId::new(RawJson::string("a")).is_some());
/// assert!(MessageId::new(RawJson::null()).is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MessageId(RawJson);

/// Bytes that the text of an id may have, without its quotes.
const TEXT_BYTES: usize = 256;

impl MessageId {
    /// The id that `value` is, if it is one.
    #[must_use]
    pub fn new(value: RawJson) -> Option<Self> {
        let text = value.as_str();
        let fits = if text.starts_with('"') {
            text.len() <= TEXT_BYTES + 2
        } else {
            text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok()
        };
        fits.then_some(Self(value))
    }

    /// A short text as an id.
    pub(crate) fn text(text: &str) -> Self {
        Self(RawJson::string(text))
    }

    /// A whole number as an id, for programs that act as a client.
    #[must_use]
    pub fn number(number: i64) -> Self {
        Self(RawJson::from(serde_json::Value::from(number)))
    }

    /// The same id in memory of its own: for what outlives its request by far and must not keep the whole of it.
    pub(crate) fn detached(&self) -> Self {
        Self(self.0.detached())
    }

    /// The bytes to echo.
    #[must_use]
    pub fn as_json(&self) -> &RawJson {
        &self.0
    }
}
