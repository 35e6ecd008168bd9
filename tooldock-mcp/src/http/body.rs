//! The body of a POST.

use axum::body::{Body, to_bytes};
use bytes::Bytes;
use http::{HeaderMap, header::CONTENT_TYPE};
use http_body_util::LengthLimitError;
use tooldock_engine::{EngineError, error::cause};

use super::exchange::repeated;
use super::response::Rejected;
use crate::{
    era::Single,
    refusal::{Refusal, code},
};

/// Refuses a body that does not say it is JSON.
pub(crate) fn check_type(headers: &HeaderMap) -> Result<(), Rejected> {
    let media = match Single::read(headers, CONTENT_TYPE.as_str()) {
        Single::One(value) => value.split(';').next().unwrap_or_default().trim(),
        Single::Absent => "",
        Single::Unclear => return Err(repeated("Content-Type")),
    };
    if media.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let text = "a message is sent as JSON; send `Content-Type: application/json`";
    Err(Refusal::new(415, code::INVALID_REQUEST, text).into())
}

/// Bytes of a body that is a part of its connection's buffer.
const IN_BUFFER: usize = 8 << 10;

/// Reads a body of at most `limit` bytes. If a layer in front ends it, the refusal says what that layer says.
///
/// A small one gets memory of its own: its connection can use the buffer again meanwhile, which is larger.
pub(crate) async fn read(body: Body, limit: usize) -> Result<Bytes, Rejected> {
    let read = to_bytes(body, limit).await;
    let own = read.map(|text| match text.len() {
        ..=IN_BUFFER => Bytes::copy_from_slice(&text),
        _ => text,
    });
    own.map_err(|error| {
        if let Some(refused) = cause::<EngineError>(&error) {
            return Refusal::from(refused).into();
        }
        if cause::<LengthLimitError>(&error).is_some() {
            let text =
                format!("the message is longer than the limit of {limit} bytes or less (MAX_BODY_BYTES)");
            return Refusal::new(413, code::INVALID_REQUEST, text).into();
        }
        Refusal::bad(code::PARSE, "the body ended before the message did").into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_small_body_does_not_hold_the_buffer_it_came_in() {
        for (length, shared) in [(10, false), (IN_BUFFER, false), (IN_BUFFER + 1, true)] {
            let buffer = Bytes::from(vec![b' '; length]);
            let text = read(Body::from(buffer.clone()), 1 << 20).await;
            let text = text.expect("it is within the limit");
            assert_eq!(
                (text == buffer, text.as_ptr() == buffer.as_ptr()),
                (true, shared),
                "{length}"
            );
        }
    }
}
