//! A JSON value as bytes.

use std::{fmt, ops::Range};

use bytes::Bytes;
use serde::{Deserialize, Serialize, Serializer, ser::Error as _};
use serde_json::value::RawValue;

use super::{JsonFault, ScanLimits, scan};

/// One JSON value that passed the strict scan, kept as the bytes it arrived in.
///
/// Cloning and [cutting parts out](Self::part) share memory. Numbers keep their digits and members their order.
///
/// ```
/// use tooldock_engine::{RawJson, json::ScanLimits};
/// let json = RawJson::scan(r#"{"n": 12345678901234567890123}"#, ScanLimits::MESSAGE)?;
/// assert_eq!(json.as_bytes(), br#"{"n": 12345678901234567890123}"#);
/// assert!(RawJson::scan(r#"{"a":1,"a":2}"#, ScanLimits::MESSAGE).is_err());
/// # Ok::<(), tooldock_engine::json::JsonFault>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RawJson(Bytes);

impl RawJson {
    /// Takes `text` if it is exactly one JSON value within `limits`.
    ///
    /// # Errors
    /// The broken rule and its place; see [`JsonProblem`](super::JsonProblem).
    pub fn scan(text: impl Into<Bytes>, limits: ScanLimits) -> Result<Self, JsonFault> {
        let bytes = text.into();
        scan::scan(&bytes, limits)?;
        Ok(Self(bytes))
    }

    /// Writes a Rust value as JSON. For what the program itself makes; what arrives from outside is [scanned](Self::scan).
    ///
    /// # Errors
    /// When the value has a map with keys that are no text, or its own serialization fails.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Self> {
        serde_json::to_vec(value).map(|bytes| Self(bytes.into()))
    }

    /// A JSON string.
    #[must_use]
    pub fn string(text: &str) -> Self {
        let mut out = Vec::with_capacity(text.len() + 2);
        super::writer::write_string(&mut out, text);
        Self(out.into())
    }

    /// `{}`
    #[must_use]
    pub const fn empty_object() -> Self {
        Self(Bytes::from_static(b"{}"))
    }

    /// `[]`
    #[must_use]
    pub const fn empty_array() -> Self {
        Self(Bytes::from_static(b"[]"))
    }

    /// An array of ready values.
    ///
    /// ```
    /// use tooldock_engine::RawJson;
    /// assert_eq!(RawJson::array([&RawJson::null(), &RawJson::string("a")]).as_str(), r#"[null,"a"]"#);
    /// ```
    #[must_use]
    pub fn array<'a>(values: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut out = vec![b'['];
        super::writer::write_values(&mut out, values);
        out.push(b']');
        Self(out.into())
    }

    /// `null`
    #[must_use]
    pub const fn null() -> Self {
        Self(Bytes::from_static(b"null"))
    }

    /// Bytes that this crate wrote or cut out of a scanned value.
    pub(crate) fn trusted(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// The part of this value at `range`, which is one value.
    pub(super) fn slice(&self, range: Range<usize>) -> Self {
        Self(self.0.slice(range))
    }

    /// A part of this value that serde borrowed from it, cut out without copying.
    ///
    /// ```
    /// # use tooldock_engine::{RawJson, json::ScanLimits};
    /// #[derive(serde::Deserialize)]
    /// struct Envelope<'a> { #[serde(borrow)] params: &'a serde_json::value::RawValue }
    /// let message = RawJson::scan(r#"{"params":{"x":1}}"#, ScanLimits::MESSAGE)?;
    /// let envelope: Envelope<'_> = message.parse().expect("has params");
    /// assert_eq!(message.part(envelope.params).as_bytes(), br#"{"x":1}"#);
    /// # Ok::<(), tooldock_engine::json::JsonFault>(())
    /// ```
    #[must_use]
    pub fn part(&self, part: &RawValue) -> Self {
        let text = part.get().as_bytes();
        let (whole, start) = (self.0.as_ptr() as usize, text.as_ptr() as usize);
        if start >= whole && start + text.len() <= whole + self.0.len() {
            return Self(self.0.slice(start - whole..start - whole + text.len()));
        }
        Self(Bytes::copy_from_slice(text))
    }

    /// The same value in memory of its own: for a small part that is kept longer than what it was cut from.
    #[must_use]
    pub fn detached(&self) -> Self {
        Self(Bytes::copy_from_slice(&self.0))
    }

    /// The bytes: UTF-8, exactly one JSON value.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("the scan accepts UTF-8 only")
    }

    /// The shared bytes themselves.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.0
    }

    /// How many bytes the text has.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a JSON value is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the value is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.first() == Some(b'{')
    }

    /// Whether the value is an array.
    #[must_use]
    pub fn is_array(&self) -> bool {
        self.first() == Some(b'[')
    }

    /// Whether the value is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.first() == Some(b'n')
    }

    fn first(&self) -> Option<u8> {
        self.0.iter().copied().find(|b| !b.is_ascii_whitespace())
    }

    /// Reads the value into a Rust type, which may borrow from it.
    ///
    /// # Errors
    /// When the value has another shape.
    pub fn parse<'a, T: Deserialize<'a>>(&'a self) -> serde_json::Result<T> {
        serde_json::from_slice(&self.0)
    }
}

impl From<&serde_json::Value> for RawJson {
    fn from(value: &serde_json::Value) -> Self {
        Self(value.to_string().into())
    }
}

impl From<serde_json::Value> for RawJson {
    fn from(value: serde_json::Value) -> Self {
        Self::from(&value)
    }
}

impl Serialize for RawJson {
    /// Puts the bytes into the output as they are; for `serde_json` only.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_slice::<&RawValue>(&self.0)
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
