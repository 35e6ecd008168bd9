//! Names of requests on the wire: numbers that no other request of the same connection has.

use std::{
    io::Write as _,
    sync::atomic::{AtomicU64, Ordering},
};

/// The id of one request. Each connection counts for itself and accepts its own ids alone; the worker knows them all anyway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct RequestId(u64);

impl RequestId {
    /// Reads an id from its raw JSON text; anything that is no id of ours is nobody's.
    pub(super) fn read(raw: &str) -> Option<Self> {
        raw.parse().ok().map(Self)
    }

    /// Appends the id as a JSON number.
    pub(super) fn write(self, out: &mut Vec<u8>) {
        write!(out, "{}", self.0).expect("a number always fits into a growing buffer");
    }
}

/// Makes ids.
#[derive(Debug, Default)]
pub(super) struct RequestIds(AtomicU64);

impl RequestIds {
    pub(super) fn next(&self) -> RequestId {
        RequestId(self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_the_wire_and_no_two_are_equal() {
        let ids = RequestIds::default();
        let (first, second) = (ids.next(), ids.next());
        assert_ne!(first, second);
        let mut text = Vec::new();
        second.write(&mut text);
        assert_eq!(text, b"2", "the protocol takes texts and integers");
        assert_eq!(RequestId::read(std::str::from_utf8(&text).unwrap()), Some(second));
    }

    #[test]
    fn what_is_no_id_of_ours_is_nobodys() {
        for raw in ["-7", "7.0", "null", "\"\"", "\"7\"", "18446744073709551616"] {
            assert_eq!(RequestId::read(raw), None, "{raw}");
        }
    }
}
