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

/// Reads a body of at most `limit` bytes. If a layer in front ends it, the refusal says what that layer says.
pub(crate) async fn read(body: Body, limit: usize) -> Result<Bytes, Rejected> {
    to_bytes(body, limit).await.map_err(|error| {
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
