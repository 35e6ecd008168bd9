//! What a person can do where the system does not let a file be used.

use std::io::{self, ErrorKind};

/// What a person can do about it, to stand behind what happened.
///
/// ```
/// use tooldock_secrets::remedy;
/// let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
/// assert_eq!(remedy(&full), "make room on that disk and try again");
/// ```
#[must_use]
pub fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room on that disk and try again",
        ErrorKind::FileTooLarge => {
            "it is too large, or the limit on the size of files (`ulimit -f`) too small"
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "run this as the user to whom the folder belongs, where it can be written"
        }
        ErrorKind::NotFound => "set DATA_DIR to a folder that is there",
        ErrorKind::IsADirectory | ErrorKind::InvalidInput | ErrorKind::AlreadyExists => {
            "move away what has the name of that file, or that name with `.new` behind it"
        }
        _ => "correct that and try again",
    }
}
