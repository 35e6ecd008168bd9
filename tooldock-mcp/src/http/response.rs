//! Responses of HTTP.

use axum::body::Body;
use http::{
    HeaderName, HeaderValue, Response, StatusCode,
    header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
};
use tooldock_engine::EngineError;

use crate::{connection::Answer, refusal::Refusal, wire::MessageId};

/// The verbs that are served where there are sessions.
pub(crate) const ALLOWED: &str = "POST, GET, DELETE";
/// The verbs that are served where there are none.
const ALLOWED_SESSIONLESS: &str = "POST";

/// A request that is refused, with what its response needs.
#[derive(Debug)]
pub(crate) struct Rejected {
    answer: Answer,
    allow: Option<&'static str>,
}

impl Rejected {
    pub(crate) fn new(refusal: &Refusal, id: Option<&MessageId>) -> Self {
        refusal.answer(id).into()
    }

    /// The refusal of a verb that belongs to sessions; if there are none, it names the verb that is served instead.
    pub(crate) fn of_verb(refusal: Refusal) -> Self {
        let sessionless = refusal.status() == 405;
        Self {
            allow: sessionless.then_some(ALLOWED_SESSIONLESS),
            ..Self::from(refusal)
        }
    }

    /// Names the verbs that are served instead.
    pub(crate) fn allowing(mut self, verbs: &'static str) -> Self {
        self.allow = Some(verbs);
        self
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        let mut response = json(self.answer);
        if let Some(verbs) = self.allow {
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static(verbs));
        }
        response
    }
}

impl From<Answer> for Rejected {
    fn from(answer: Answer) -> Self {
        Self { answer, allow: None }
    }
}

impl From<Refusal> for Rejected {
    fn from(refusal: Refusal) -> Self {
        Self::new(&refusal, None)
    }
}

/// The response to a request that a layer in front refuses: the status of the error's row and a JSON-RPC error, so that a client that
/// speaks both eras does not take it for an older server.
///
/// ```
/// use tooldock_engine::{EngineError, ErrorKind};
/// let response = tooldock_mcp::refusal(&EngineError::new(ErrorKind::Unauthorized, "send `Authorization: Bearer <token>`"));
/// assert_eq!(response.status(), 401);
/// assert_eq!(response.headers()["www-authenticate"], "Bearer");
/// ```
#[must_use]
pub fn refusal(error: &EngineError) -> Response<Body> {
    let mut response = json(Refusal::from(error).answer(None));
    if response.status() == StatusCode::UNAUTHORIZED {
        response
            .headers_mut()
            .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(wait) = error.retry_after() {
        response
            .headers_mut()
            .insert(RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
    }
    response
}

/// One JSON answer; it is the caller's alone.
pub(crate) fn json(answer: Answer) -> Response<Body> {
    let mut response = Response::new(Body::from(answer.body.into_bytes()));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if answer.status == 503 {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// A response without a body.
pub(crate) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// An event stream.
pub(crate) fn events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(
        HeaderName::from_static("x-accel-buffering"),
        HeaderValue::from_static("no"),
    );
    response
}
