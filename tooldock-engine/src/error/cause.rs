//! What an error was caused by.

use std::error::Error;

/// The first error of the type `E` among `error` and its causes.
///
/// A layer in front of a door ends a body with an [`EngineError`](super::EngineError), which arrives wrapped by whatever carries the
/// body; with this the door finds it again and answers as its kind says.
///
/// ```
/// use tooldock_engine::{EngineError, ErrorKind, error::cause};
/// let inner = EngineError::new(ErrorKind::ToolFailed, "no number").with_source("x".parse::<u8>().unwrap_err());
/// let outer = EngineError::new(ErrorKind::Internal, "reading failed").with_source(inner);
/// assert!(cause::<std::num::ParseIntError>(&outer).is_some());
/// assert_eq!(cause::<EngineError>(&outer).map(EngineError::kind), Some(ErrorKind::Internal), "the outermost");
/// assert!(cause::<std::fmt::Error>(&outer).is_none());
/// ```
#[must_use]
pub fn cause<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    std::iter::successors(Some(error), |&error| error.source()).find_map(|error| error.downcast_ref())
}
