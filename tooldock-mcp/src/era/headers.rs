//! The headers that say something about a message.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::HeaderMap;

/// The headers that say something about a message, each read as exactly one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Headers<'a> {
    /// `MCP-Protocol-Version`.
    pub version: Single<'a>,
    /// `Mcp-Method`.
    pub method: Single<'a>,
    /// `Mcp-Name`.
    pub name: Single<'a>,
}

/// A header that may occur once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Single<'a> {
    /// It is missing.
    Absent,
    /// It has this value, without blanks around it.
    One(&'a str),
    /// It is repeated, even with equal values, or holds bytes that are no visible ASCII.
    Unclear,
}

impl<'a> Headers<'a> {
    /// Reads them.
    #[must_use]
    pub fn read(map: &'a HeaderMap) -> Self {
        Self {
            version: Single::read(map, "mcp-protocol-version"),
            method: Single::read(map, "mcp-method"),
            name: Single::read(map, "mcp-name"),
        }
    }
}

impl<'a> Single<'a> {
    /// Reads the header called `name` (lower case).
    #[must_use]
    pub fn read(map: &'a HeaderMap, name: &str) -> Self {
        let mut values = map.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Self::Absent,
            (Some(value), None) => value
                .to_str()
                .map_or(Self::Unclear, |text| Self::One(text.trim())),
            (Some(_), Some(_)) => Self::Unclear,
        }
    }

    /// Its value, decoded if it is a base64 sentinel; nothing if it is missing, repeated or cannot be decoded.
    #[must_use]
    pub fn decoded(self) -> Option<Cow<'a, str>> {
        let Self::One(text) = self else { return None };
        let Some(code) = text
            .strip_prefix("=?base64?")
            .and_then(|rest| rest.strip_suffix("?="))
        else {
            return Some(text.into());
        };
        let bytes = STANDARD.decode(code).ok()?;
        Some(String::from_utf8(bytes).ok()?.into())
    }
}
