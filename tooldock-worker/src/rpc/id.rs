//! Names of requests on the wire: 128 bits that a worker cannot guess.

use std::{
    hash::{BuildHasher as _, RandomState},
    sync::atomic::{AtomicU64, Ordering},
};

/// The id of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct RequestId(u128);

impl RequestId {
    /// Reads an id from its raw JSON text; anything that is no id of ours is nobody's.
    pub(super) fn read(raw: &str) -> Option<Self> {
        let digits = raw.strip_prefix('"')?.strip_suffix('"')?;
        let plain = digits.len() == 32 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        plain.then(|| u128::from_str_radix(digits, 16).ok().map(Self))?
    }

    /// Appends the id as a JSON string.
    pub(super) fn write(self, out: &mut Vec<u8>) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        out.push(b'"');
        out.extend((0..32).map(|place| DIGITS[(self.0 >> (124 - 4 * place)) as usize & 15]));
        out.push(b'"');
    }
}

/// Makes ids: a keyed hash of a counter, so that one id tells nothing about the next and no system call is made.
#[derive(Debug)]
pub(super) struct RequestIds {
    keys: [RandomState; 2],
    next: AtomicU64,
}

impl RequestIds {
    pub(super) fn new() -> Self {
        Self {
            keys: [RandomState::new(), RandomState::new()],
            next: AtomicU64::new(0),
        }
    }

    pub(super) fn next(&self) -> RequestId {
        let count = self.next.fetch_add(1, Ordering::Relaxed);
        let [high, low] = self.keys.each_ref().map(|key| u128::from(key.hash_one(count)));
        RequestId(high << 64 | low)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn an_id_survives_the_wire_and_no_two_are_equal() {
        let ids = RequestIds::new();
        let made: HashSet<RequestId> = (0..10_000).map(|_| ids.next()).collect();
        assert_eq!(made.len(), 10_000);
        let mut text = Vec::new();
        let id = ids.next();
        id.write(&mut text);
        assert_eq!(RequestId::read(std::str::from_utf8(&text).unwrap()), Some(id));
        assert_ne!(
            RequestIds::new().next(),
            RequestIds::new().next(),
            "ids of two connections must differ"
        );
    }

    #[test]
    fn what_is_no_id_of_ours_is_nobodys() {
        for raw in [
            "7",
            "null",
            "\"\"",
            "\"a1\"",
            "\"+0000000000000000000000000000000\"",
            "\"ÄÄ\"",
        ] {
            assert_eq!(RequestId::read(raw), None, "{raw}");
        }
    }
}
