//! Why somebody is not let in, and the challenges of RFC 6750.

use http::HeaderValue;
use tooldock_engine::{EngineError, ErrorKind};

/// The challenge to somebody who is known and may not do this (RFC 6750, 3.1).
pub(super) const NOT_ALLOWED: HeaderValue =
    HeaderValue::from_static(r#"Bearer realm="tooldock", error="insufficient_scope""#);

/// Why somebody is not let in, with the challenge of RFC 6750.
#[derive(Debug, Clone, Copy)]
pub(in crate::http) enum Denial {
    Missing,
    Stranger,
    Unknown,
    Malformed,
}

impl Denial {
    pub(super) fn error(self) -> EngineError {
        match self {
            Self::Missing => EngineError::new(
                ErrorKind::Unauthorized,
                "no token: send `Authorization: Bearer <token>`",
            ),
            Self::Stranger => EngineError::new(
                ErrorKind::Unauthorized,
                "the application has not said who calls; sign in there first",
            ),
            Self::Unknown => EngineError::new(
                ErrorKind::Unauthorized,
                "this gateway does not know the token, or knows it no longer; ask its operator for one, or sign in again",
            ),
            Self::Malformed => EngineError::new(
                ErrorKind::InvalidRequest,
                "send exactly one header `Authorization: Bearer <token>`",
            ),
        }
    }

    pub(super) fn challenge(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Missing | Self::Stranger => r#"Bearer realm="tooldock""#,
            Self::Unknown => r#"Bearer realm="tooldock", error="invalid_token""#,
            Self::Malformed => r#"Bearer realm="tooldock", error="invalid_request""#,
        })
    }
}
