//! The reader of single headers: each line is a value of the header.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderValue};
use tooldock_mcp::era::{Headers, Single};

const NAME: &str = "mcp-name";

/// A header is read if it occurs once, is visible ASCII, and is no sentinel of anything but UTF-8 in canonical base64.
pub fn check(input: &[u8], planted: bool) {
    let values = input.split(|byte| *byte == b'\n').map(HeaderValue::from_bytes);
    let mut map = HeaderMap::new();
    for value in values.filter_map(Result::ok).take(4) {
        map.append(NAME, value);
    }
    let single = Single::read(&map, NAME);
    assert_eq!(single, judge(&map));
    let headers = Headers::read(&map);
    assert_eq!(
        (headers.name, headers.method, headers.version),
        (single, Single::Absent, Single::Absent)
    );

    let expected = match single {
        Single::One(text) => match code(text) {
            Some(code) => decode(code.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok()),
            None => Some(text.to_owned()),
        },
        Single::Absent | Single::Unclear => None,
    };
    assert_eq!(read(single, planted).as_deref(), expected.as_deref());

    if let Ok(text) = std::str::from_utf8(input) {
        let sentinel = format!("=?base64?{}?=", STANDARD.encode(text));
        assert_eq!(
            Single::One(&sentinel).decoded().as_deref(),
            Some(text),
            "{sentinel}"
        );
    }
}

fn judge(map: &HeaderMap) -> Single<'_> {
    let values: Vec<&HeaderValue> = map.get_all(NAME).iter().collect();
    let visible = |byte: &u8| matches!(byte, b'\t' | b' '..=b'~');
    match values[..] {
        [] => Single::Absent,
        [one] if one.as_bytes().iter().all(visible) => {
            std::str::from_utf8(one.as_bytes()).map_or(Single::Unclear, |text| Single::One(text.trim()))
        }
        _ => Single::Unclear,
    }
}

fn code(text: &str) -> Option<&str> {
    text.strip_prefix("=?base64?")?.strip_suffix("?=")
}

/// Canonical base64, by the book (RFC 4648, section 4).
fn decode(code: &[u8]) -> Option<Vec<u8>> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if !code.len().is_multiple_of(4) {
        return None;
    }
    let padding = code
        .iter()
        .rev()
        .take(2)
        .take_while(|byte| **byte == b'=')
        .count();
    let (mut bits, mut held, mut out) = (0_u32, 0, Vec::new());
    for byte in &code[..code.len() - padding] {
        bits = bits << 6 | u32::try_from(DIGITS.iter().position(|digit| digit == byte)?).ok()?;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    (bits & ((1 << held) - 1) == 0).then_some(out)
}

/// The bug: what is no UTF-8 is made some.
fn read(single: Single<'_>, planted: bool) -> Option<Cow<'_, str>> {
    match single {
        Single::One(text) if planted => match code(text) {
            Some(code) => Some(
                String::from_utf8_lossy(&decode(code.as_bytes())?)
                    .into_owned()
                    .into(),
            ),
            None => Some(text.into()),
        },
        _ => single.decoded(),
    }
}
