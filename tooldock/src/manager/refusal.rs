//! How the tools of the manager say no.

use std::{fmt, io};

use tokio::task::JoinError;
use tooldock_engine::{EngineError, ErrorKind, error::Result};

/// A tool cannot do what it was asked for; `text` says what happened and what to do next.
pub(super) fn refuse(text: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::ToolFailed, text.into())
}

/// The disk does not let a tool `action` something called `name`.
pub(super) fn disk(action: &str, name: impl fmt::Display, error: io::Error) -> EngineError {
    let told = match error.kind() {
        io::ErrorKind::StorageFull => {
            "the data volume is full; remove what is not needed and try again".to_owned()
        }
        _ => error.to_string(),
    };
    refuse(format!("cannot {action} `{name}`: {told}")).with_source(error)
}

/// The result of work on another thread.
pub(super) fn joined<T>(result: Result<Result<T>, JoinError>) -> Result<T> {
    result.unwrap_or_else(|error| {
        Err(EngineError::new(
            ErrorKind::Internal,
            "the work broke; the log of the manager tells more",
        )
        .with_source(error))
    })
}
