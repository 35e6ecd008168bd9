//! Requests that are turned away before there is a call: by their credentials, their rights, or where they come from.

use std::time::SystemTime;

use serde::Serialize;

use super::{chain::Link, day::Stamp, entry::cut, line};
use crate::http::Denial;

/// Bytes of a text that a stranger has written.
const TEXT_BYTES: usize = 128;

/// One of them. It says what was asked for, never whether there is such a thing.
#[derive(Debug)]
pub(super) struct Denied {
    pub(super) time: SystemTime,
    request_id: Box<str>,
    principal: Option<Box<str>>,
    peer: Option<std::net::IpAddr>,
    door: &'static str,
    namespace: Option<Box<str>>,
    status: u16,
    more: u64,
}

#[derive(Debug, Serialize)]
struct Line<'a> {
    time: Stamp,
    event: &'static str,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    principal: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<std::net::IpAddr>,
    door: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'a str>,
    verdict: &'static str,
    status: u16,
    /// Others before it, of which there is no line because there were too many in a minute.
    #[serde(skip_serializing_if = "is_zero")]
    more: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Denied {
    pub(super) fn of(denial: &Denial<'_>, time: SystemTime) -> Self {
        let short = |text: &str| cut(text, TEXT_BYTES).into();
        Self {
            time,
            request_id: short(denial.request_id.unwrap_or_default()),
            principal: denial.principal.map(short),
            peer: denial.peer,
            door: denial.door.label(),
            namespace: denial.namespace.map(short),
            status: denial.status.as_u16(),
            more: denial.more,
        }
    }

    /// Adds the line about it.
    pub(super) fn write(&self, out: &mut Vec<u8>, link: Option<Link>) -> Option<Link> {
        let line = Line {
            time: Stamp(self.time),
            event: "denied",
            request_id: &self.request_id,
            principal: self.principal.as_deref(),
            peer: self.peer,
            door: self.door,
            namespace: self.namespace.as_deref(),
            verdict: "denied",
            status: self.status,
            more: self.more,
        };
        line::write(out, link, &line)
    }
}
