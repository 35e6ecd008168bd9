//! The lines of the files: one JSON object each, in printable ASCII.

use std::time::SystemTime;

use tooldock_engine::json::ObjectWriter;

use super::{
    chain::Link,
    day::{Day, Stamp},
};

/// Bytes that a line may have before its buffer must grow.
const USUAL: usize = 512;

/// One line, without its end and not tied to others yet.
#[derive(Debug)]
pub(super) struct Line {
    /// In whose file it belongs.
    pub(super) day: Day,
    pub(super) text: Vec<u8>,
}

impl Line {
    /// What `write` tells of an `event` at `time`. It is written where its parts still are at hand: to keep them until others write costs more.
    pub(super) fn of(time: SystemTime, event: &str, write: impl FnOnce(&mut ObjectWriter)) -> Self {
        let mut out = ObjectWriter::with_capacity(USUAL);
        let stamp = Stamp(time).text();
        out.string("time", str::from_utf8(&stamp).expect("all of it is ASCII"))
            .string("event", event);
        write(&mut out);
        Self {
            day: Day::of(time),
            text: ascii(out.finish_bytes()),
        }
    }
}

/// JSON with everything but printable ASCII as escapes: no control character and none that turns the direction of text reaches a file.
/// Only strings have such characters, and the controls before the blank are escaped already.
fn ascii(json: Vec<u8>) -> Vec<u8> {
    // Without an end before the last byte, so that many are looked at at once.
    if json.iter().fold(true, |all, byte| all & is_printable(*byte)) {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    let mut units = [0; 2];
    for character in String::from_utf8_lossy(&json).chars() {
        if u8::try_from(character).is_ok_and(is_printable) {
            out.push(character);
        } else {
            let units = character.encode_utf16(&mut units).iter();
            out.extend(units.map(|unit| format!("\\u{unit:04x}")));
        }
    }
    out.into_bytes()
}

fn is_printable(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte)
}

/// Adds a line, tied to `link` where there is a chain, and gives the link that follows.
pub(super) fn write(out: &mut Vec<u8>, link: Option<Link>, line: &[u8]) -> Option<Link> {
    let start = out.len();
    out.extend_from_slice(line);
    let link = link.map(|link| link.tie(out, start));
    out.push(b'\n');
    link
}

/// At most `most` bytes from the beginning of `text`.
pub(super) fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
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
        let line = Line::of(SystemTime::now(), "call", |out| {
            for (index, text) in texts.iter().enumerate() {
                out.string(&index.to_string(), text);
            }
        });
        let line = line.text;
        assert!(line.iter().all(|byte| (b' '..=b'~').contains(byte)));
        let read: serde_json::Value = serde_json::from_slice(&line).unwrap();
        for (index, text) in texts.iter().enumerate() {
            assert_eq!(read[index.to_string()], *text);
        }
    }
}
