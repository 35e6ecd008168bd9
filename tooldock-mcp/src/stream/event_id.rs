//! The ids of streams and of the events on them.

use std::{fmt, str::FromStr};

/// The id of a stream of a session. Streams of other sessions have other ids: they are counted from a random number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub u64);

/// The id of an event: its stream, and its place on it. Events are counted from 1; 0 is the place before the first.
///
/// It is globally unique within the session and names its stream, as 2025-11-25 (Transports, Resumability) wants it. Clients take it
/// for an opaque text. Only the one spelling that `Display` writes is read.
///
/// ```
/// use tooldock_mcp::stream::{EventId, StreamId};
/// let id = EventId { stream: StreamId(7), number: 3 };
/// assert_eq!(id.to_string(), "0000000000000007-3");
/// assert_eq!("0000000000000007-3".parse(), Ok(id));
/// assert!("0000000000000007-03".parse::<EventId>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId {
    /// On which stream it was sent.
    pub stream: StreamId,
    /// Its place on that stream.
    pub number: u64,
}

/// A text that is not the id of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAnEventId;

impl fmt::Display for NotAnEventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is not the id of an event that was sent here")
    }
}

impl std::error::Error for NotAnEventId {}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{}", self.stream.0, self.number)
    }
}

impl FromStr for EventId {
    type Err = NotAnEventId;

    fn from_str(text: &str) -> Result<Self, NotAnEventId> {
        let (stream, number) = text.split_once('-').ok_or(NotAnEventId)?;
        let id = Self {
            stream: StreamId(u64::from_str_radix(stream, 16).map_err(|_| NotAnEventId)?),
            number: number.parse().map_err(|_| NotAnEventId)?,
        };
        if id.to_string() == text {
            Ok(id)
        } else {
            Err(NotAnEventId)
        }
    }
}
