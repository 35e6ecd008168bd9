//! A text with its escapes undone, and where in the text each part of it comes from.

/// A way to write some characters of a text as something else.
#[derive(Debug, Clone, Copy)]
pub(super) enum Escapes {
    /// By a backslash: JSON, and what Python shows of texts and bytes (`repr`).
    Backslash,
    /// By `%` (RFC 3986, section 2.1), however many characters are written so.
    Percent,
    /// By `%`, with `+` for a space: forms of web pages.
    Form,
    /// By line breaks within, as base64 has them in mail; also where these are escaped.
    Wrap,
}

/// A text with its escapes undone.
pub(super) struct Undone {
    pub(super) text: Vec<u8>,
    /// From where on in `text` parts are as they were, and where each begins in the text before.
    parts: Vec<(usize, usize)>,
}

impl Undone {
    /// Nothing where there are no such escapes.
    pub(super) fn of(text: &[u8], escapes: Escapes) -> Option<Self> {
        let mut undone = Self {
            text: Vec::new(),
            parts: vec![(0, 0)],
        };
        let mut at = 0;
        while let Some(plain) = text[at..].iter().position(|byte| escapes.begins(*byte)) {
            undone.text.extend_from_slice(&text[at..at + plain]);
            at += plain;
            at += escapes.undo(&text[at..], &mut undone.text);
            undone.note(at);
        }
        undone.text.extend_from_slice(&text[at..]);
        (at > 0).then_some(undone)
    }

    /// Keeps that what follows begins at `at` in the text before, unless that is known.
    fn note(&mut self, at: usize) {
        let length = self.text.len();
        match self.parts.last_mut() {
            Some((begin, place)) if *place + (length - *begin) == at => {}
            Some((begin, place)) if *begin == length => *place = at,
            _ => self.parts.push((length, at)),
        }
    }

    /// Where a place of this was in the text before.
    pub(super) fn place(&self, at: usize) -> usize {
        let behind = self.parts.partition_point(|(begin, _)| *begin <= at);
        let (begin, place) = self.parts[behind - 1];
        place + (at - begin)
    }
}

impl Escapes {
    pub(super) const ALL: [Self; 4] = [Self::Backslash, Self::Percent, Self::Form, Self::Wrap];

    /// How often a text may be written so: JSON is quoted in JSON, and that in an error; an address stands in another one.
    pub(super) fn most_nested(self) -> usize {
        match self {
            Self::Backslash => 3,
            Self::Percent => 2,
            Self::Form | Self::Wrap => 1,
        }
    }

    fn begins(self, byte: u8) -> bool {
        match self {
            Self::Backslash => byte == b'\\',
            Self::Percent => byte == b'%',
            Self::Form => matches!(byte, b'%' | b'+'),
            Self::Wrap => matches!(byte, b'\n' | b'\r' | b'\\'),
        }
    }

    /// Undoes what stands at the beginning of `rest`; says how long that is.
    fn undo(self, rest: &[u8], out: &mut Vec<u8>) -> usize {
        match (self, rest) {
            (Self::Wrap, [b'\\', b'n' | b'r', ..]) => 2,
            (Self::Wrap, [b'\n' | b'\r', ..]) => 1,
            (Self::Form, [b'+', ..]) => {
                out.push(b' ');
                1
            }
            (Self::Backslash, [_, kind, behind @ ..]) => backslash(*kind, behind, out),
            (Self::Percent | Self::Form, [_, behind @ ..]) => match number(behind, 2) {
                Some(code) => {
                    out.push(low_byte(code));
                    3
                }
                None => {
                    out.push(b'%');
                    1
                }
            },
            (_, [byte, ..]) => {
                out.push(*byte);
                1
            }
            (_, []) => 0,
        }
    }
}

/// What a backslash and `kind` stand for; what stands for nothing is left as it is.
fn backslash(kind: u8, behind: &[u8], out: &mut Vec<u8>) -> usize {
    let byte = match kind {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 0x08,
        b'f' => 0x0c,
        b'x' | b'u' | b'U' => return numbered(kind, behind, out),
        mark if mark.is_ascii_punctuation() => mark,
        _ => {
            out.push(b'\\');
            return 1;
        }
    };
    out.push(byte);
    2
}

/// `\xXX`, `\uXXXX`, also as two halves, and `\UXXXXXXXX`.
fn numbered(kind: u8, behind: &[u8], out: &mut Vec<u8>) -> usize {
    let digits = match kind {
        b'x' => 2,
        b'u' => 4,
        _ => 8,
    };
    let code = number(behind, digits).unwrap_or(u32::MAX);
    if kind == b'x' && code <= 0xff {
        out.push(low_byte(code));
        return 2 + digits;
    }
    let other = behind
        .get(digits..)
        .and_then(|behind| behind.strip_prefix(b"\\u"));
    let low = other.and_then(|half| number(half, 4));
    let (code, length) = match (code, low) {
        (0xd800..0xdc00, Some(low @ 0xdc00..0xe000)) => {
            (0x1_0000 + ((code - 0xd800) << 10) + (low - 0xdc00), digits + 8)
        }
        _ => (code, digits + 2),
    };
    match char::from_u32(code) {
        Some(character) => {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            length
        }
        None => {
            out.push(b'\\');
            1
        }
    }
}

/// The number that so many hexadecimal digits at the beginning of `text` are.
fn number(text: &[u8], digits: usize) -> Option<u32> {
    let digits = text.get(..digits)?;
    digits.iter().try_fold(0_u32, |number, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        number.checked_mul(16)?.checked_add(digit)
    })
}

fn low_byte(code: u32) -> u8 {
    code.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s99_escapes_are_undone_and_their_places_known() {
        for (escapes, text, plain) in [
            (Escapes::Backslash, r#"a\"b\'\\\/\n\tc"#, "a\"b'\\/\n\tc"),
            (
                Escapes::Backslash,
                r"\u00e4\ud83d\ude00\U0001f600\xc3\xa4",
                "ä😀😀ä",
            ),
            (
                Escapes::Backslash,
                r"\d \u12 \x4 \ud83d \ud83dx\",
                r"\d \u12 \x4 \ud83d \ud83dx\",
            ),
            (Escapes::Percent, "a%2fb%2Fc+d%zz%4", "a/b/c+d%zz%4"),
            (Escapes::Form, "a+b%2Bc%", "a b+c%"),
            (Escapes::Wrap, "ab\r\nc\\nd\\e", "abcd\\e"),
        ] {
            let undone = Undone::of(text.as_bytes(), escapes).unwrap();
            assert_eq!(String::from_utf8(undone.text.clone()).unwrap(), plain, "{text}");
            assert_eq!(undone.place(undone.text.len()), text.len(), "{text}");
            // Each part that begins with a character of its own stands where that character, or its escape, stands.
            let at = undone.text.len() - 1;
            assert!(text.is_char_boundary(undone.place(at)), "{text}");
        }
        let undone = Undone::of(b"x\\\"y\\\"z", Escapes::Backslash).unwrap();
        assert_eq!([0, 1, 2, 3, 4, 5].map(|at| undone.place(at)), [0, 1, 3, 4, 6, 7]);
        for escapes in Escapes::ALL {
            assert!(Undone::of(b"plain", escapes).is_none());
        }
    }

    #[test]
    fn s99_only_places_that_move_are_kept() {
        for (escapes, text) in [
            (Escapes::Form, "+".repeat(1000)),
            (Escapes::Percent, "%".repeat(1000)),
            (Escapes::Backslash, r"\d".repeat(1000)),
            (Escapes::Wrap, "\n".repeat(1000)),
        ] {
            let undone = Undone::of(text.as_bytes(), escapes).unwrap();
            assert_eq!(undone.parts.len(), 1, "{escapes:?}");
            assert_eq!(undone.place(undone.text.len()), text.len(), "{escapes:?}");
        }
    }
}
