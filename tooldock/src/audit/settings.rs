//! What an audit log can be told.

use std::path::{Path, PathBuf};

use crate::layers::RedactLayer;

/// What an audit log can be told. Start from [`new`](Self::new) and change what differs.
///
/// ```
/// use tooldock::audit::AuditSettings;
/// let mut settings = AuditSettings::new("data/logs");
/// settings.keep_days = 90;
/// settings.fail_closed = true;
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AuditSettings {
    /// Where the files are (`AUDIT_DIR`). Made when it is not there, readable for its owner only.
    pub folder: PathBuf,
    /// For how many days files are kept (`LOG_RETENTION_DAYS`, 30). Whatever else lies in the folder is left alone.
    pub keep_days: u64,
    /// Records that may wait to be written (`AUDIT_QUEUE`, 10,000).
    pub queue: usize,
    /// Whether a call is refused that cannot be recorded (`AUDIT_FAIL_CLOSED`, no). Places in the queue are then taken before a call
    /// begins, so that none goes unrecorded unless the program is killed.
    pub fail_closed: bool,
    /// Whether each line carries a hash of itself and of all before it (`AUDIT_CHAIN`, no), which [`verify`](super::verify()) checks.
    pub chain: bool,
    /// Bytes of the arguments and of the result that are recorded of each call (`AUDIT_CONTENT_BYTES`, 0: nothing of either).
    pub content_bytes: usize,
    /// What takes known secrets out of arguments before they are recorded (nothing). Results come from behind the layers, which have
    /// done that already.
    pub redact: Option<RedactLayer>,
}

impl AuditSettings {
    /// The defaults, for files in `folder`.
    #[must_use]
    pub fn new(folder: impl AsRef<Path>) -> Self {
        Self {
            folder: folder.as_ref().to_owned(),
            keep_days: 30,
            queue: 10_000,
            fail_closed: false,
            chain: false,
            content_bytes: 0,
            redact: None,
        }
    }
}
