//! Errors without known values.

use std::error::Error;

use tooldock_engine::{
    EngineError,
    secret::{Redactor, redact_json, redact_text},
};

/// What is left of the causes of an error, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Causes(String);

/// `error` without known values in its text, its details and the texts of its causes.
pub(super) fn redact_error(redactor: &dyn Redactor, mut error: EngineError) -> EngineError {
    let chain = std::iter::successors(error.source(), |cause| (**cause).source());
    let causes = chain.map(ToString::to_string).collect::<Vec<_>>().join(": ");
    if let Some(clean) = redact_text(redactor, &causes) {
        error = error.with_source(Causes(clean));
    }
    if let Some(clean) = redact_text(redactor, error.message()) {
        error = error.with_message(clean);
    }
    match error.details().map(|details| redact_json(redactor, details)) {
        Some(Ok(clean)) => error.with_details(clean),
        Some(Err(unreadable)) => unreadable,
        None => error,
    }
}
