//! Reading event streams, as the HTML standard defines them, within a bound.

use std::{collections::VecDeque, time::Duration};

/// One event.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// By what name it can be asked for again.
    pub id: Option<String>,
    /// How long to wait before asking.
    pub retry: Option<Duration>,
    /// What it says; empty if it only names itself.
    pub data: Vec<u8>,
}

/// An event has more bytes than it may.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

/// Turns bytes into events.
#[derive(Debug)]
pub struct Decoder {
    line: Vec<u8>,
    event: Event,
    limit: usize,
    after_return: bool,
    began: bool,
}

impl Decoder {
    /// Events of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            line: Vec::new(),
            event: Event::default(),
            limit,
            after_return: false,
            began: false,
        }
    }

    /// Takes bytes and adds the events that they complete. An event that the stream does not complete is none.
    pub fn feed(&mut self, mut bytes: &[u8], events: &mut VecDeque<Event>) -> Result<(), TooLong> {
        while let Some(first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = memchr::memchr2(b'\n', b'\r', bytes);
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + self.event.data.len() + part.len() > self.limit {
                return Err(TooLong);
            }
            self.line.extend_from_slice(part);
            let Some(end) = end else { break };
            self.after_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            self.end_line(events);
        }
        Ok(())
    }

    fn end_line(&mut self, events: &mut VecDeque<Event>) {
        let line = std::mem::take(&mut self.line);
        let mark: &[u8] = if self.began { b"" } else { b"\xEF\xBB\xBF" };
        self.began = true;
        let line = line.strip_prefix(mark).unwrap_or(&line);
        if line.is_empty() {
            let mut event = std::mem::take(&mut self.event);
            event.data.pop();
            if event != Event::default() {
                events.push_back(event);
            }
            return;
        }
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        self.set(&line[..colon], value);
    }

    fn set(&mut self, field: &[u8], value: &[u8]) {
        match field {
            b"data" => {
                self.event.data.extend_from_slice(value);
                self.event.data.push(b'\n');
            }
            // What cannot stand in a header cannot be asked for again.
            b"id" if value.iter().all(|byte| matches!(byte, b' '..=b'~')) => {
                self.event.id = String::from_utf8(value.to_vec()).ok();
            }
            b"retry" => {
                let number = std::str::from_utf8(value)
                    .ok()
                    .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                let number = number.and_then(|text| text.parse().ok());
                self.event.retry = number.map(Duration::from_millis).or(self.event.retry);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(chunks: &[&[u8]]) -> Vec<(Option<String>, Option<u128>, String)> {
        let (mut decoder, mut events) = (Decoder::new(100), VecDeque::new());
        for chunk in chunks {
            decoder.feed(chunk, &mut events).unwrap();
        }
        let plain = |event: Event| {
            let retry = event.retry.map(|retry| retry.as_millis());
            (event.id, retry, String::from_utf8(event.data).unwrap())
        };
        events.into_iter().map(plain).collect()
    }

    #[test]
    fn events_are_read_whatever_cuts_and_ends_their_lines() {
        let text = "\u{feff}: comment\nid: a\nretry: 500\ndata: \n\nevent: message\ndata:{\"x\":\ndata: 1}\nid: b\n\ndata: lost";
        let expected = [
            (Some("a".to_owned()), Some(500), String::new()),
            (Some("b".to_owned()), None, "{\"x\":\n1}".to_owned()),
        ];
        for end in ["\n", "\r", "\r\n"] {
            let text = text.replace('\n', end);
            assert_eq!(events(&[text.as_bytes()]), expected, "{end:?} whole");
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(events(&bytes), expected, "{end:?} byte by byte");
        }
    }

    #[test]
    fn what_means_nothing_is_left_out() {
        let text = b"\n\n: only\n\nevent: x\n\nid: \xff\nretry: 1s\nfoo: bar\ndata\n\nretry: 99999999999999999999999\n\n";
        assert_eq!(events(&[text]), []);
    }

    #[test]
    fn s111_an_event_without_an_end_is_too_long_at_some_time() {
        let (mut decoder, mut events) = (Decoder::new(10), VecDeque::new());
        let mut flood = |bytes: &[u8]| {
            (0..20)
                .map(|_| decoder.feed(bytes, &mut events))
                .find(Result::is_err)
        };
        assert_eq!(
            flood(b"data: 1\n"),
            Some(Err(TooLong)),
            "lines without an empty one"
        );
        let (mut decoder, mut events) = (Decoder::new(10), VecDeque::new());
        let mut flood = |bytes: &[u8]| {
            (0..20)
                .map(|_| decoder.feed(bytes, &mut events))
                .find(Result::is_err)
        };
        assert_eq!(flood(b"x"), Some(Err(TooLong)), "a line without an end");
    }
}
