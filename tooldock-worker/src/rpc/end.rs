//! Why a connection ended.

use std::{fmt, io};

use tooldock_engine::json::JsonFault;

use super::outbox;

/// Why a connection ended. `Display` continues the sentence "the worker …".
#[derive(Debug)]
#[non_exhaustive]
pub enum End {
    /// The worker closed it.
    Closed,
    /// The worker closed it in the middle of a frame.
    HalfLine,
    /// A frame is longer than 32 MiB.
    TooLong,
    /// Bytes that are no JSON, or JSON that breaks a rule.
    Garbage(JsonFault),
    /// JSON that is no frame.
    NoFrame,
    /// It asks and does not read: 64 MiB wait for it.
    Unread,
    /// Reading or writing failed.
    Failed(io::Error),
}

impl End {
    /// Whether the worker broke the protocol, so that its process cannot be trusted any further.
    #[must_use]
    pub fn is_breach(&self) -> bool {
        matches!(
            self,
            Self::HalfLine | Self::TooLong | Self::Garbage(_) | Self::NoFrame | Self::Unread
        )
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("closed its channel"),
            Self::HalfLine => f.write_str("closed its channel in the middle of a frame"),
            Self::TooLong => f.write_str("sent a frame of more than 32 MiB"),
            Self::Garbage(fault) => write!(f, "sent a frame that is none: {fault}"),
            Self::NoFrame => f.write_str("sent JSON that is no frame of the protocol"),
            Self::Unread => write!(
                f,
                "did not read its channel until {} MiB waited",
                outbox::MOST >> 20
            ),
            Self::Failed(error) => write!(f, "lost its channel: {error}"),
        }
    }
}
