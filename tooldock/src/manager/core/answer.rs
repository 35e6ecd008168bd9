//! What is said when the core does not do what it was asked for.

use std::time::Duration;

use http::StatusCode;
use serde::Deserialize;
use tooldock_engine::EngineError;

use super::{super::refusal::refuse, CoreClient};

/// The error that the core tells, as far as it counts here.
#[derive(Debug, Deserialize)]
struct Told {
    error: ToldError,
}

#[derive(Debug, Deserialize)]
struct ToldError {
    message: String,
}

impl CoreClient {
    /// It cannot be reached, or the connection broke.
    pub(super) fn away(&self, error: reqwest::Error) -> EngineError {
        let what = if error.is_connect() {
            "cannot be reached"
        } else {
            "broke the connection"
        };
        let text = format!(
            "the core at `{}` {what}; see that `tooldock-core` runs there and that CORE_URL is right. What is on disk stays and counts \
             as soon as it is back",
            self.url()
        );
        refuse(text).with_source(error.without_url())
    }

    /// It says nothing.
    pub(super) fn silent(&self, patience: Duration) -> EngineError {
        refuse(format!(
            "the core at `{}` said nothing for {} s (setting CORE_TIMEOUT_SECONDS); try again, and see its log",
            self.url(),
            patience.as_secs()
        ))
    }

    /// It answered, and not as a core does.
    pub(super) fn nonsense(&self, status: StatusCode) -> EngineError {
        refuse(format!(
            "what answers at `{}` (status {status}) is no `tooldock-core` of this version; correct CORE_URL, or bring both to one version",
            self.url()
        ))
    }

    /// It answered with an error.
    pub(super) fn refused(&self, status: StatusCode, body: &[u8]) -> EngineError {
        let Ok(told) = serde_json::from_slice::<Told>(body) else {
            return self.nonsense(status);
        };
        let told = told.error.message;
        match status {
            StatusCode::UNAUTHORIZED => refuse(format!(
                "the core at `{}` does not take the token of the manager; set BEARER_TOKEN of the manager to that of the core",
                self.url()
            )),
            StatusCode::FORBIDDEN => refuse(format!(
                "the core at `{}` does not let the manager in: {told}; MANAGER_INTERNAL_TOKEN must be the same at both, and \
                 INTERNAL_ALLOWED_CIDRS of the core must hold the address of the manager",
                self.url()
            )),
            _ => refuse(told),
        }
    }
}
