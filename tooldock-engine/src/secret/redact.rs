//! Texts and JSON without known values.

use std::borrow::Cow;

use super::Redactor;
use crate::{EngineError, ErrorKind, RawJson, error::Result, json::ScanLimits};

/// `text` without known values; nothing when there is none in it.
#[must_use]
pub fn redact_text(redactor: &dyn Redactor, text: &str) -> Option<String> {
    match redactor.redact(text.as_bytes()) {
        Cow::Borrowed(_) => None,
        Cow::Owned(clean) => Some(String::from_utf8_lossy(&clean).into_owned()),
    }
}

/// `json` without known values: in texts, member names and numbers. All other bytes stay.
///
/// # Errors
/// [`Internal`](ErrorKind::Internal) when two members of an object would have one name then.
pub fn redact_json(redactor: &dyn Redactor, json: &RawJson) -> Result<RawJson> {
    // Without escapes the bytes are the texts, and one look finds what there is.
    let plain = !json.as_bytes().contains(&b'\\');
    if plain && redact_text(redactor, json.as_str()).is_none() {
        return Ok(json.clone());
    }
    let mut clean = None;
    let (mut rest, mut kept) = (json.as_str(), 0);
    while !rest.is_empty() {
        let at = json.len() - rest.len();
        let (token, behind) = rest.split_at(token_end(rest));
        if let Some(text) = redact_token(redactor, token) {
            let out: &mut String = clean.get_or_insert_default();
            out.push_str(&json.as_str()[kept..at]);
            out.push_str(RawJson::string(&text).as_str());
            kept = at + token.len();
        }
        rest = behind;
    }
    let Some(mut clean) = clean else {
        return Ok(json.clone());
    };
    clean.push_str(&json.as_str()[kept..]);
    RawJson::scan(clean, ScanLimits::RESULT).map_err(|fault| {
        let text =
            "the result names its members by secrets and cannot be shown; let the tool return something else";
        EngineError::new(ErrorKind::Internal, text).with_source(fault)
    })
}

/// Where the first token of a valid JSON text ends: a string, a scalar, or what stands between those.
fn token_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_between = |byte: &u8| {
        matches!(
            byte,
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b'[' | b']' | b'{' | b'}'
        )
    };
    let end = match bytes[0] {
        b'"' => {
            let mut escaped = false;
            let quote = bytes[1..].iter().position(|byte| {
                let ends = *byte == b'"' && !escaped;
                escaped = *byte == b'\\' && !escaped;
                ends
            });
            quote.map(|at| at + 2)
        }
        first if is_between(&first) => bytes.iter().position(|byte| !is_between(byte)),
        _ => bytes.iter().position(is_between),
    };
    end.unwrap_or(bytes.len())
}

/// The text that stands for `token` then, if it holds a known value.
fn redact_token(redactor: &dyn Redactor, token: &str) -> Option<String> {
    match token.as_bytes()[0] {
        b'"' if token.contains('\\') => redact_text(redactor, &serde_json::from_str::<String>(token).ok()?),
        b'"' => redact_text(redactor, &token[1..token.len() - 1]),
        b'-' | b'0'..=b'9' => redact_text(redactor, token),
        _ => None,
    }
}
