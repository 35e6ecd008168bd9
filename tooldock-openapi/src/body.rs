//! The arguments of a call, read from the body of its request.

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header::CONTENT_TYPE};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde_json::json;
use tooldock_engine::{EngineError, ErrorKind, RawJson, error::cause};

use crate::{RestSettings, error::Refusal};

/// Reads the arguments: a JSON object. A body of blanks or none and `null` are calls without arguments.
pub(crate) async fn read(
    headers: &HeaderMap,
    body: Body,
    settings: &RestSettings,
) -> Result<RawJson, Refusal> {
    if headers.contains_key(CONTENT_TYPE) && !is_json(headers) {
        return Err(other_type());
    }
    let bytes = collect(body, settings.body_bytes).await?;
    if bytes.trim_ascii().is_empty() {
        return Ok(RawJson::empty_object());
    }
    if !is_json(headers) {
        return Err(other_type());
    }
    let arguments = RawJson::scan(bytes, settings.json).map_err(|fault| {
        EngineError::new(
            ErrorKind::InvalidRequest,
            format!("{fault}; {}", fault.problem.remedy()),
        )
    })?;
    if arguments.is_null() {
        return Ok(RawJson::empty_object());
    }
    if !arguments.is_object() {
        let text = "the arguments of a tool are one JSON object, for example `{\"name\": \"Ada\"}`; the body is \
                    another JSON value";
        let details = json!({"errors": [{"loc": [], "msg": "must be an object", "type": "type"}]});
        return Err(EngineError::new(ErrorKind::InvalidArguments, text)
            .with_details(details.into())
            .into());
    }
    Ok(arguments)
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = value.and_then(|value| value.split(';').next());
    media_type.is_some_and(|media_type| media_type.trim().eq_ignore_ascii_case("application/json"))
}

fn other_type() -> Refusal {
    let text = "the arguments of a tool are sent as JSON; set the header `Content-Type: application/json`";
    Refusal {
        error: EngineError::new(ErrorKind::InvalidRequest, text),
        status: Some(StatusCode::UNSUPPORTED_MEDIA_TYPE),
    }
}

/// Bytes of a body that is a part of its connection's buffer.
const IN_BUFFER: usize = 8 << 10;

/// Reads at most `limit` bytes. If a layer in front ends the body, the refusal says what that layer says.
///
/// A small one gets memory of its own: its connection can use the buffer again meanwhile, which is larger.
async fn collect(body: Body, limit: usize) -> Result<Bytes, EngineError> {
    let collected = Limited::new(body, limit).collect().await;
    let own = collected.map(|body| match body.to_bytes() {
        text if text.len() <= IN_BUFFER => Bytes::copy_from_slice(&text),
        text => text,
    });
    own.map_err(|error| {
        if let Some(refused) = cause::<EngineError>(&*error) {
            return EngineError::new(refused.kind(), refused.message().to_owned());
        }
        if cause::<LengthLimitError>(&*error).is_some() {
            let text = format!("the body is larger than {limit} bytes, the limit that `MAX_BODY_BYTES` sets");
            return EngineError::new(ErrorKind::RequestTooLarge, text);
        }
        let text = "the body could not be read to its end; send the request again";
        EngineError::new(ErrorKind::InvalidRequest, text).with_source(error)
    })
}
