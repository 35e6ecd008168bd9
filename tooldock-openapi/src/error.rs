//! Errors as REST answers.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{
    HeaderValue, StatusCode,
    header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
};
use tooldock_engine::{EngineError, ErrorKind, context::RequestId, json::ObjectWriter};

/// The media type of every body this crate writes.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The answer that tells a caller of `error`: status and `Retry-After` by the kernel's table, the text in a JSON body.
///
/// For layers in front of [`router`](crate::router), so that every refusal of a door looks the same.
///
/// ```
/// use tooldock_engine::{EngineError, ErrorKind};
/// let error = EngineError::new(ErrorKind::Overloaded, "64 calls wait already; try again in a second");
/// let answer = tooldock_openapi::refusal(&error, None);
/// assert_eq!(answer.status(), 503);
/// assert_eq!(answer.headers()["retry-after"], "1");
/// ```
#[must_use]
pub fn refusal(error: &EngineError, request_id: Option<&RequestId>) -> Response<Body> {
    let status = StatusCode::from_u16(error.kind().row().rest_status)
        .expect("a test of this crate answers with every status of the table");
    refusal_as(status, error, request_id)
}

/// As [`refusal`], with a status that HTTP itself asks for.
pub(crate) fn refusal_as(
    status: StatusCode,
    error: &EngineError,
    request_id: Option<&RequestId>,
) -> Response<Body> {
    let mut body = ObjectWriter::with_capacity(error.message().len() + 128);
    body.object("error", |body| {
        body.string("code", error.kind().code())
            .string("message", error.message())
            .maybe("details", error.details());
    });
    if let Some(RequestId(id)) = request_id {
        body.string("request_id", id);
    }
    let mut answer = (status, body.finish().into_bytes()).into_response();
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, JSON);
    if let Some(wait) = error.retry_after() {
        // Whole seconds, rounded up: trying earlier than said would be refused again.
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        headers.insert(RETRY_AFTER, seconds.into());
    }
    if error.kind() == ErrorKind::Unauthorized {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    answer
}

/// An error on its way out of a handler.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) error: EngineError,
    /// Where HTTP has a status of its own for the case.
    pub(crate) status: Option<StatusCode>,
}

impl Refusal {
    pub(crate) fn answer(&self, request_id: Option<&RequestId>) -> Response<Body> {
        match self.status {
            Some(status) => refusal_as(status, &self.error, request_id),
            None => refusal(&self.error, request_id),
        }
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        Self { error, status: None }
    }
}
