//! Writing an object by splicing ready parts.

use serde_json::Number;

use super::{RawJson, members::Members, scan::plain};

/// Writes one JSON object, member by member, into one buffer.
///
/// Raw parts are copied, never parsed. Member names are the program's own: plain text that needs no escape.
///
/// ```
/// use tooldock_engine::{RawJson, json::ObjectWriter};
/// let mut out = ObjectWriter::new();
/// out.string("jsonrpc", "2.0").raw("id", &RawJson::from(serde_json::json!(7)));
/// out.object("result", |result| {
///     result.flag("isError", false);
/// });
/// assert_eq!(out.finish().as_str(), r#"{"jsonrpc":"2.0","id":7,"result":{"isError":false}}"#);
/// ```
#[derive(Debug)]
pub struct ObjectWriter {
    out: Vec<u8>,
}

impl ObjectWriter {
    /// An empty object.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(256)
    }

    /// An empty object with room for `bytes`.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        let mut out = Vec::with_capacity(bytes);
        out.push(b'{');
        Self { out }
    }

    fn name(&mut self, name: &str) -> &mut Self {
        debug_assert!(
            !name.bytes().any(|b| b < 0x20 || b == b'"' || b == b'\\'),
            "member names are plain"
        );
        let begin: &[u8] = if self.out.last() == Some(&b'{') {
            b"\""
        } else {
            b",\""
        };
        self.out.reserve(name.len() + 4);
        self.out.extend_from_slice(begin);
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self
    }

    /// A member that is ready JSON.
    pub fn raw(&mut self, name: &str, value: &RawJson) -> &mut Self {
        self.name(name).out.extend_from_slice(value.as_bytes());
        self
    }

    /// A member that is ready JSON, left out when there is none.
    pub fn maybe(&mut self, name: &str, value: Option<&RawJson>) -> &mut Self {
        if let Some(value) = value {
            self.raw(name, value);
        }
        self
    }

    /// A text member.
    pub fn string(&mut self, name: &str, value: &str) -> &mut Self {
        write_string(&mut self.name(name).out, value);
        self
    }

    /// A true or false.
    pub fn flag(&mut self, name: &str, value: bool) -> &mut Self {
        let text: &[u8] = if value { b"true" } else { b"false" };
        self.name(name).out.extend_from_slice(text);
        self
    }

    /// A text member, left out when there is none.
    pub fn maybe_string(&mut self, name: &str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.string(name, value);
        }
        self
    }

    /// A number.
    pub fn number(&mut self, name: &str, value: impl Into<Number>) -> &mut Self {
        serde_json::to_writer(&mut self.name(name).out, &value.into())
            .expect("a number always fits into a growing buffer");
        self
    }

    /// A member that is an object of its own.
    pub fn object(&mut self, name: &str, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.name(name).out.push(b'{');
        write(self);
        self.out.push(b'}');
        self
    }

    /// A member that is an array of ready JSON values.
    pub fn array<'a>(&mut self, name: &str, values: impl IntoIterator<Item = &'a RawJson>) -> &mut Self {
        self.name(name).out.push(b'[');
        write_values(&mut self.out, values);
        self.out.push(b']');
        self
    }

    /// The members of `object` in their order, except those named in `skip`; nothing if it is no object.
    ///
    /// ```
    /// use tooldock_engine::{RawJson, json::ObjectWriter};
    /// let mut out = ObjectWriter::new();
    /// out.flag("own", true).members(&RawJson::from(serde_json::json!({"a": 1, "own": false})), &["own"]);
    /// assert_eq!(out.finish().as_str(), r#"{"own":true,"a":1}"#);
    /// ```
    pub fn members(&mut self, object: &RawJson, skip: &[&str]) -> &mut Self {
        if let Some(inside) = inside(object, skip) {
            if self.out.last() != Some(&b'{') {
                self.out.push(b',');
            }
            self.out.extend_from_slice(inside.as_bytes());
            return self;
        }
        let members: Members<'_> = object.parse().unwrap_or_default();
        for (name, value) in members.0 {
            if skip.contains(&&*name) {
                continue;
            }
            if self.out.last() != Some(&b'{') {
                self.out.push(b',');
            }
            write_string(&mut self.out, &name);
            self.out.push(b':');
            self.out.extend_from_slice(value.get().as_bytes());
        }
        self
    }

    /// The object.
    #[must_use]
    pub fn finish(self) -> RawJson {
        RawJson::trusted(self.finish_bytes().into())
    }

    /// The object as bytes that are still in their buffer, for who copies them on: to share them costs more.
    #[must_use]
    pub fn finish_bytes(mut self) -> Vec<u8> {
        self.out.push(b'}');
        self.out
    }
}

impl Default for ObjectWriter {
    fn default() -> Self {
        Self::new()
    }
}

/// What stands between the braces of `object`, if a look is enough to tell that it names nothing in `skip`.
fn inside<'a>(object: &'a RawJson, skip: &[&str]) -> Option<&'a str> {
    let text = object.as_str();
    if text.contains('\\') || skip.iter().any(|name| text.contains(name)) {
        return None;
    }
    let inside = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    (!inside.is_empty()).then_some(inside)
}

/// Appends `text` as a JSON string.
pub(super) fn write_string(out: &mut Vec<u8>, text: &str) {
    // Most texts stand for themselves, which is seen eight bytes at a time.
    if plain(text.as_bytes()) < text.len() {
        serde_json::to_writer(out, text).expect("a text always fits into a growing buffer");
        return;
    }
    out.reserve(text.len() + 2);
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Appends `values` with commas between them.
pub(super) fn write_values<'a>(out: &mut Vec<u8>, values: impl IntoIterator<Item = &'a RawJson>) {
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(value.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::ScanLimits;

    #[test]
    fn members_are_left_out_however_they_are_written() {
        let write = |object: &str| {
            let object = RawJson::scan(object.to_owned(), ScanLimits::MESSAGE).unwrap();
            let mut out = ObjectWriter::new();
            out.flag("own", true).members(&object, &["own"]);
            out.finish().as_str().to_owned()
        };
        for nothing in ["{}", " { } ", "[1]", "7", r#"{"own":1}"#, r#"{"\u006fwn":1}"#] {
            assert_eq!(write(nothing), r#"{"own":true}"#, "{nothing}");
        }
        assert_eq!(write(r#" {"a":{"b":1.0} } "#), r#"{"own":true,"a":{"b":1.0}}"#);
        assert_eq!(
            write(r#"{"a":"own","own":2,"b":[3]}"#),
            r#"{"own":true,"a":"own","b":[3]}"#
        );
    }
}
