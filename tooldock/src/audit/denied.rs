//! The line about a request that is turned away before there is a call: by its credentials, its rights, or where it comes from.

use std::time::SystemTime;

use super::line::{Line, cut};
use crate::http::Denial;

/// Bytes of a text that a stranger has written.
const TEXT_BYTES: usize = 128;

/// The line about `denial`, which came at `time`. It says what was asked for, never whether there is such a thing.
pub(super) fn line(denial: &Denial<'_>, time: SystemTime) -> Line {
    let short = |text| cut(text, TEXT_BYTES);
    Line::of(time, "denied", |out| {
        out.string("request_id", short(denial.request_id.unwrap_or_default()))
            .maybe_string("principal", denial.principal.map(short))
            .maybe_string("peer", denial.peer.map(|peer| peer.to_string()).as_deref())
            .string("door", denial.door.label())
            .maybe_string("namespace", denial.namespace.map(short))
            .string("verdict", "denied")
            .number("status", denial.status.as_u16());
        // Others before it, of which there is no line because there were too many in a minute.
        if denial.more > 0 {
            out.number("more", denial.more);
        }
    })
}
