//! A refusal, told in the protocol of the door it happens at.

use axum::body::Body;
use http::{Response, request::Parts};
use tooldock_engine::{Door, EngineError, context::RequestId};

use super::{Located, Refusal};

/// Answers a request with `error` in the form of its door.
pub(super) fn refuse(head: &Parts, error: &EngineError) -> Refusal {
    let door = head.extensions.get::<Located>().map_or(Door::Rest, Located::door);
    Box::new(answer(door, error, head.extensions.get::<RequestId>()))
}

/// Answers with `error` in the form of `door`.
#[cfg_attr(
    not(feature = "openapi"),
    expect(unused_variables, reason = "plain text carries no id")
)]
pub(crate) fn answer(door: Door, error: &EngineError, id: Option<&RequestId>) -> Response<Body> {
    match door {
        #[cfg(feature = "mcp")]
        Door::Mcp => tooldock_mcp::refusal(error),
        #[cfg(feature = "openapi")]
        _ => tooldock_openapi::refusal(error, id),
        #[cfg(not(feature = "openapi"))]
        _ => {
            let mut response = Response::new(Body::from(error.to_string()));
            *response.status_mut() =
                http::StatusCode::from_u16(error.kind().row().rest_status).unwrap_or_default();
            response
        }
    }
}
