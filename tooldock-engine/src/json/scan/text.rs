//! Strings: their characters, their escapes, and surrogates that must come in pairs.

use std::borrow::Cow;

use super::Scan;
use crate::json::{JsonFault, JsonProblem};

/// How many bytes at the beginning of `text` stand for themselves, as no quote, backslash or control character does. They are looked at
/// eight at a time, the last ones with blanks behind them.
pub(in crate::json) fn plain(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let run = run(*word);
        if run < 8 {
            return index * 8 + run;
        }
    }
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    words.len() * 8 + run(last).min(rest.len())
}

/// The same for a word: its lowest marked byte is right, and the marks behind that do not matter.
fn run(word: [u8; 8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let word = u64::from_le_bytes(word);
    let controls = word.wrapping_sub(ONES * 0x20) & !word;
    let quotes = zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')));
    ((controls | quotes) & HIGHS).trailing_zeros() as usize / 8
}

impl<'a> Scan<'a> {
    /// Reads a string, decoded only if it holds escapes.
    pub(super) fn string(&mut self) -> Result<Cow<'a, [u8]>, JsonFault> {
        self.at += 1;
        let start = self.at;
        let mut decoded: Option<Vec<u8>> = None;
        loop {
            let run = self.at;
            self.at += plain(&self.bytes[run..]);
            let text = &self.bytes[run..self.at];
            if let Some(decoded) = &mut decoded {
                decoded.extend_from_slice(text);
            }
            match self.peek() {
                Some(b'"') => {
                    let raw = &self.bytes[start..self.at];
                    self.at += 1;
                    return Ok(decoded.map_or(Cow::Borrowed(raw), Cow::Owned));
                }
                Some(b'\\') => {
                    let so_far = decoded.get_or_insert_with(|| text.to_vec());
                    let character = escape(self.bytes, &mut self.at)?;
                    so_far.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return Err(self.fault(JsonProblem::Syntax)),
            }
        }
    }
}

/// Reads one escape whose backslash is at `at`.
fn escape(bytes: &[u8], at: &mut usize) -> Result<char, JsonFault> {
    let offset = *at;
    let fault = |problem| JsonFault { problem, offset };
    let kind = *bytes.get(offset + 1).ok_or(fault(JsonProblem::Syntax))?;
    *at += 2;
    let plain = match kind {
        b'"' | b'\\' | b'/' => char::from(kind),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let high = hex(bytes, at).ok_or(fault(JsonProblem::Syntax))?;
            if !(0xd800..0xe000).contains(&high) {
                return char::from_u32(high).ok_or(fault(JsonProblem::Surrogate));
            }
            let paired = high < 0xdc00 && bytes[*at..].starts_with(b"\\u");
            *at += if paired { 2 } else { 0 };
            let low = if paired { hex(bytes, at) } else { None };
            let low = low
                .filter(|low| (0xdc00..0xe000).contains(low))
                .ok_or(fault(JsonProblem::Surrogate))?;
            return char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                .ok_or(fault(JsonProblem::Surrogate));
        }
        _ => return Err(fault(JsonProblem::Syntax)),
    };
    Ok(plain)
}

fn hex(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let text = bytes.get(*at..*at + 4)?;
    *at += 4;
    text.iter()
        .try_fold(0, |sum, b| Some(sum * 16 + char::from(*b).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_where_a_slow_look_says_it_does() {
        // Every byte at every place of two words, among bytes that a careless subtraction would carry into.
        for filler in [b'a', b' ', b'!', 0x7f, 0x80, 0xff] {
            for byte in 0..=u8::MAX {
                for at in 0..19 {
                    let mut text = [filler; 19];
                    text[at] = byte;
                    let slowly = text.iter().position(|b| *b < b' ' || matches!(b, b'"' | b'\\'));
                    assert_eq!(plain(&text), slowly.unwrap_or(19), "{byte} at {at} in {filler}");
                }
            }
        }
    }
}
