//! Texts of JSON, decoded straight into the memory that is wiped later; the decoder of a JSON library keeps copies.

/// The text that a JSON string stands for; nothing when it is no string or holds half a character.
pub(super) fn decode(raw: &str) -> Option<String> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    // Decoding never makes a text longer, so nothing is moved while it grows.
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let (character, length) = escape(&rest[at + 1..])?;
        text.push(character);
        rest = &rest[at + 1 + length..];
    }
    text.push_str(rest);
    Some(text)
}

/// The character that an escape stands for, and how long the escape is behind its backslash.
fn escape(rest: &str) -> Option<(char, usize)> {
    let plain = match rest.as_bytes().first()? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return code(rest),
        _ => return None,
    };
    Some((plain, 1))
}

/// A character by its number, or by two halves (RFC 8259, section 7).
fn code(rest: &str) -> Option<(char, usize)> {
    let unit = |at: usize| u32::from_str_radix(rest.get(at..at + 4)?, 16).ok();
    match unit(1)? {
        high @ 0xd800..=0xdbff => {
            let low = (rest.get(5..7)? == "\\u").then(|| unit(7))??;
            let low = (0xdc00..=0xdfff).contains(&low).then(|| low - 0xdc00)?;
            Some((char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + low)?, 11))
        }
        single => Some((char::from_u32(single)?, 5)),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn every_escape_is_decoded_as_the_json_library_does_it() {
        for raw in [
            r#""""#,
            r#""plain é""#,
            r#""a\"b\\c\/d\b\f\n\r\t""#,
            r#""\u0041\u00e9\u20ac\ud83d\ude00z""#,
        ] {
            let expected: String = serde_json::from_str(raw).unwrap();
            assert_eq!(decode(raw).unwrap(), expected);
        }
        for raw in [
            "1",
            r#""\ud83d""#,
            r#""\ud83dxx0041""#,
            r#""\udc00""#,
            r#""\u00""#,
        ] {
            assert_eq!(decode(raw), None, "{raw}");
        }
    }
}
