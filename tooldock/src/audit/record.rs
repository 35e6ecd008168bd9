//! What waits to become a line.

use std::time::SystemTime;

use super::{chain::Link, denied::Denied, entry::Entry, line};

/// What waits to become a line.
#[derive(Debug)]
pub(super) enum Record {
    /// A request that has ended.
    Call(Entry),
    /// One that was turned away before.
    Denied(Denied),
}

impl Record {
    pub(super) fn time(&self) -> SystemTime {
        match self {
            Self::Call(entry) => entry.time,
            Self::Denied(denied) => denied.time,
        }
    }

    /// Adds the line about it.
    pub(super) fn write(&self, out: &mut Vec<u8>, link: Option<Link>) -> Option<Link> {
        match self {
            Self::Call(entry) => line::write_call(out, link, entry),
            Self::Denied(denied) => denied.write(out, link),
        }
    }
}
