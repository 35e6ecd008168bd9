//! The settings of the log.

use super::reader::Reader;

/// Which log lines are written, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogSettings {
    /// The filter.
    pub filter: String,
    /// One JSON object a line.
    pub json: bool,
}

impl LogSettings {
    pub(super) fn with(read: &mut Reader<'_>) -> Self {
        Self {
            filter: read.filter("LOG_LEVEL"),
            json: read.either("LOG_FORMAT", ["json", "text"]),
        }
    }
}
