//! The chain of hashes that ties each line to all before it.

use std::{fmt, str::FromStr};

use sha2::{Digest as _, Sha256};

/// What stands between a line and its link.
const JOINT: &[u8] = br#","hash":""#;
/// What stands behind a link.
const END: &[u8] = br#""}"#;
/// Characters of a link.
const DIGITS: usize = 64;

/// The SHA-256 of the link before, written as in the file, and of the text of a line before its member `hash`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link([u8; 32]);

impl Link {
    /// What stands before the first line of all.
    pub(super) const FIRST: Self = Self([0; 32]);

    /// The link of the line with this `text`, which comes after this one's.
    fn next(self, text: &[u8]) -> Self {
        let hash = Sha256::new().chain_update(self.to_string()).chain_update(text);
        Self(hash.finalize().into())
    }

    /// Ties the object that begins at `start` of `out` to this link, and gives its own.
    pub(super) fn tie(self, out: &mut Vec<u8>, start: usize) -> Self {
        out.truncate(out.len() - 1);
        let link = self.next(&out[start..]);
        out.extend_from_slice(JOINT);
        out.extend_from_slice(link.to_string().as_bytes());
        out.extend_from_slice(END);
        link
    }

    /// The link that a line carries, without a look at whether it is right.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        Some(split(line)?.1)
    }

    /// Whether a line follows this link; if it does, its own.
    pub(super) fn follow(self, line: &[u8]) -> Option<Self> {
        let (text, link) = split(line)?;
        (self.next(text) == link).then_some(link)
    }
}

/// A line's text before its member `hash`, and its link.
fn split(line: &[u8]) -> Option<(&[u8], Link)> {
    let digits = line.strip_suffix(END)?;
    let (text, digits) = digits.split_at_checked(digits.len().checked_sub(DIGITS)?)?;
    let link = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((text.strip_suffix(JOINT)?, link))
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Link {
    type Err = ();

    fn from_str(digits: &str) -> Result<Self, ()> {
        let mut bytes = [0; 32];
        if digits.len() != DIGITS || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(());
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).map_err(drop)?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_follows_only_the_one_it_was_tied_to() {
        let mut lines = Vec::from(br#"{"a":1}"#);
        let first = Link::FIRST.tie(&mut lines, 0);
        let start = lines.len();
        lines.extend_from_slice(br#"{"b":2}"#);
        let second = first.tie(&mut lines, start);
        let (one, two) = lines.split_at(start);
        assert_eq!(Link::FIRST.follow(one), Some(first));
        assert_eq!(first.follow(two), Some(second));
        assert_eq!(Link::of(two), Some(second));
        assert_eq!(Link::FIRST.follow(two), None);
        let changed = String::from_utf8(two.to_vec()).unwrap().replacen('2', "3", 1);
        assert_eq!(first.follow(changed.as_bytes()), None);
        assert_eq!(Link::of(br#"{"hash":"00"}"#), None);
        // As `printf '%064d{"a":1' 0 | sha256sum` has it.
        assert_eq!(
            first.to_string(),
            "a6fc8d7dbf738917ee8344e1cd5486b01255b25fe5de4df9be7af29689f6a1aa"
        );
    }
}
