//! The lines of the files: one JSON object each, in printable ASCII.

use std::{io, time::SystemTime};

use serde::Serialize;
use serde_json::{Serializer, ser::Formatter};
use tooldock_engine::ErrorKind;

use super::{chain::Link, day::Stamp, entry::Entry};
use crate::layers::{Outcome, Subject};

/// The line about a request.
#[derive(Debug, Serialize)]
struct Call<'a> {
    time: Stamp,
    event: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    traceparent: Option<&'a str>,
    principal: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<std::net::IpAddr>,
    door: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<&'static str>,
    namespace: &'a str,
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    verdict: &'static str,
    outcome: &'static str,
    took_ms: f64,
    queued_ms: f64,
    worked_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    processor_ms: Option<f64>,
    request_bytes: usize,
    reply_bytes: usize,
    repaired: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    snapshot: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
}

/// The line about a file that is opened.
#[derive(Debug, Serialize)]
pub(super) struct Opened {
    pub(super) time: Stamp,
    pub(super) event: &'static str,
    pub(super) version: &'static str,
    pub(super) process: u32,
    /// Bytes of a line that was not written to its end, and was taken off.
    pub(super) cut_bytes: u64,
    /// The link that the first line of the file follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) previous: Option<String>,
}

/// The line about records that could not be kept.
#[derive(Debug, Serialize)]
struct Lost {
    time: Stamp,
    event: &'static str,
    records: u64,
}

/// Adds the line about `entry`.
pub(super) fn write_call(out: &mut Vec<u8>, link: Option<Link>, entry: &Entry) -> Option<Link> {
    let line = Call {
        time: Stamp(entry.time),
        event: "call",
        request_id: &entry.request_id,
        traceparent: entry.trace.as_deref(),
        principal: entry.caller.principal.name(),
        peer: entry.caller.peer,
        door: entry.caller.door.label(),
        protocol: entry.protocol,
        namespace: entry.namespace.as_str(),
        what: entry.subject.label(),
        name: match &entry.subject {
            Subject::Tool(tool) => Some(tool.as_str()),
            Subject::Resource(uri) => Some(uri),
            Subject::Prompt(name) => Some(name),
            _ => None,
        },
        verdict: verdict(entry.outcome),
        outcome: entry.outcome.label(),
        took_ms: milliseconds(entry.took),
        queued_ms: milliseconds(entry.queued),
        worked_ms: milliseconds(entry.worked),
        processor_ms: (!entry.processor.is_zero()).then(|| milliseconds(entry.processor)),
        request_bytes: entry.request_bytes,
        reply_bytes: entry.reply_bytes,
        repaired: entry.repaired,
        snapshot: entry.snapshot,
        arguments: entry.arguments.as_deref(),
        result: entry.result.as_deref(),
    };
    write(out, link, &line)
}

/// Adds the line about records that could not be kept.
pub(super) fn write_lost(
    out: &mut Vec<u8>,
    link: Option<Link>,
    time: SystemTime,
    records: u64,
) -> Option<Link> {
    let line = Lost {
        time: Stamp(time),
        event: "lost",
        records,
    };
    write(out, link, &line)
}

/// Adds a line, tied to `link` where there is a chain, and gives the link that follows.
pub(super) fn write(out: &mut Vec<u8>, link: Option<Link>, line: &impl Serialize) -> Option<Link> {
    let start = out.len();
    line.serialize(&mut Serializer::with_formatter(&mut *out, Ascii))
        .expect("a growing buffer takes every line");
    let link = link.map(|link| link.tie(out, start));
    out.push(b'\n');
    link
}

/// Whether the caller was given what he asked for, or told that he may not have it or that there is no such thing.
fn verdict(outcome: Outcome) -> &'static str {
    use ErrorKind::{Forbidden, NamespaceUnknown, Unauthorized, UnknownPrompt, UnknownResource, UnknownTool};
    match outcome {
        Outcome::Refused(
            Unauthorized | Forbidden | NamespaceUnknown | UnknownTool | UnknownResource | UnknownPrompt,
        ) => "denied",
        _ => "allowed",
    }
}

fn milliseconds(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// The control character behind the printable ones.
const DELETE: u8 = 0x7f;

/// Writes everything but printable ASCII as escapes: no control character and none that turns the direction of text reaches a file.
struct Ascii;

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        // A fragment has no control character but the last of ASCII: those before the blank were written already.
        if text.is_ascii() && !text.as_bytes().contains(&DELETE) {
            return out.write_all(text.as_bytes());
        }
        let mut units = [0; 2];
        for character in text.chars() {
            match u8::try_from(character) {
                Ok(byte) if byte.is_ascii() && byte != DELETE => out.write_all(&[byte])?,
                _ => {
                    for unit in character.encode_utf16(&mut units) {
                        write!(out, "\\u{unit:04x}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s103_no_text_ends_a_line_or_steers_a_terminal() {
        let texts = [
            "a\r\nb",
            "\u{1b}[2J",
            "\u{7f}\u{202e}\u{2028}",
            "\"\\",
            "ä\u{1f600}",
        ];
        let mut out = Vec::new();
        write(&mut out, None, &texts);
        let (end, line) = out.split_last().unwrap();
        assert_eq!(*end, b'\n');
        assert!(line.iter().all(|byte| (b' '..=b'~').contains(byte)));
        let read: Vec<String> = serde_json::from_slice(line).unwrap();
        assert_eq!(read, texts);
    }
}
