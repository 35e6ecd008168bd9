//! What an error of a Tower service means for a caller.

use std::error::Error;

use tower::{load_shed::error::Overloaded, timeout::error::Elapsed};

use crate::{EngineError, ErrorKind, error::cause};

/// Any error of a Tower service, as the error of an engine.
///
/// | Found among the error and its causes | Becomes |
/// |---|---|
/// | an [`EngineError`] | itself; its twin, if another error is around it |
/// | `tower::timeout`: the time is up | [`Timeout`](ErrorKind::Timeout) |
/// | `tower::load_shed`: there is no room | [`Overloaded`](ErrorKind::Overloaded) |
/// | anything else | [`Internal`](ErrorKind::Internal), since nobody knows what its text tells |
///
/// What was not an [`EngineError`] already is kept as the cause, for the log.
///
/// ```
/// use tooldock_engine::{EngineError, ErrorKind, bridge::engine_error};
/// let error = engine_error(Box::new(EngineError::new(ErrorKind::ToolFailed, "no such city")));
/// assert_eq!((error.kind(), error.message()), (ErrorKind::ToolFailed, "no such city"));
/// assert_eq!(engine_error("a password in a text".into()).kind(), ErrorKind::Internal);
/// ```
#[must_use]
pub fn engine_error(error: Box<dyn Error + Send + Sync>) -> EngineError {
    let error = match error.downcast::<EngineError>() {
        Ok(own) => return *own,
        Err(other) => other,
    };
    let told = if let Some(own) = cause::<EngineError>(&*error) {
        own.twin()
    } else if cause::<Elapsed>(&*error).is_some() {
        EngineError::new(
            ErrorKind::Timeout,
            "the call was not answered within the limit of a layer around its engine; ask for less work",
        )
    } else if cause::<Overloaded>(&*error).is_some() {
        EngineError::new(
            ErrorKind::Overloaded,
            "a layer around the engine has no room for another call; try again in a moment",
        )
    } else {
        EngineError::new(
            ErrorKind::Internal,
            "a layer around the engine broke; the operator's log has the cause",
        )
    };
    told.with_source(error)
}
