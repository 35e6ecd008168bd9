//! Why an engine could not answer: one error type, one list of kinds, one table of what each kind means at every door.

mod cause;
mod fault;
mod kind;
mod table;

use std::{borrow::Cow, error::Error as StdError, time::Duration};

use crate::json::RawJson;

pub use self::{
    cause::cause,
    fault::Fault,
    kind::ErrorKind,
    table::{ErrorRow, McpAnswer, Retry, TABLE, as_markdown},
};

/// A result whose error is an [`EngineError`].
pub type Result<T, E = EngineError> = std::result::Result<T, E>;

type BoxError = Box<dyn StdError + Send + Sync>;

/// Why an engine could not answer.
///
/// `Display` is one sentence or two that are safe to show to the caller: what happened, the value, what to do next. The
/// cause ([`source`](StdError::source)) is for the operator's log.
///
/// ```
/// use tooldock_engine::{EngineError, ErrorKind, Fault};
/// let error = EngineError::new(ErrorKind::UnknownTool, "there is no tool `ad` here; did you mean `add`?");
/// assert_eq!((error.kind(), error.fault()), (ErrorKind::UnknownTool, Fault::Caller));
/// assert_eq!(error.kind().row().rest_status, 404);
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct EngineError {
    kind: ErrorKind,
    message: Cow<'static, str>,
    details: Option<RawJson>,
    retry_after: Option<Duration>,
    source: Option<BoxError>,
}

impl EngineError {
    /// An error of `kind` with a text for the caller.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            message: message.into(),
            details: None,
            retry_after: None,
            source: None,
        }
    }

    /// Adds the cause, for the log only.
    ///
    /// ```
    /// # use std::error::Error as _;
    /// # use tooldock_engine::{EngineError, ErrorKind};
    /// let cause = std::io::Error::other("connection refused by 10.0.0.7:5432");
    /// let error = EngineError::new(ErrorKind::Unavailable, "the database is away; try again later").with_source(cause);
    /// assert!(!error.to_string().contains("10.0.0.7"));
    /// assert!(error.source().is_some());
    /// ```
    #[must_use]
    pub fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Adds facts a program can read, for example the list of refused arguments. Safe to show.
    ///
    /// ```
    /// # use tooldock_engine::{EngineError, ErrorKind, RawJson};
    /// let details = RawJson::from(serde_json::json!({"argument": "city"}));
    /// let error = EngineError::new(ErrorKind::InvalidArguments, "`city` is missing").with_details(details);
    /// assert_eq!(error.details().unwrap().as_str(), r#"{"argument":"city"}"#);
    /// ```
    #[must_use]
    pub fn with_details(mut self, details: RawJson) -> Self {
        self.details = Some(details);
        self
    }

    /// Says when trying again makes sense.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tooldock_engine::{EngineError, ErrorKind};
    /// let error = EngineError::new(ErrorKind::Overloaded, "the queue is full").with_retry_after(Duration::from_secs(3));
    /// assert_eq!(error.retry_after(), Some(Duration::from_secs(3)));
    /// ```
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Replaces the text for the caller.
    ///
    /// ```
    /// use tooldock_engine::{EngineError, ErrorKind};
    /// let error = EngineError::new(ErrorKind::ToolFailed, "the key hunter2 is refused").with_message("the key *** is refused");
    /// assert_eq!(error.message(), "the key *** is refused");
    /// ```
    #[must_use]
    pub fn with_message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = message.into();
        self
    }

    /// An error that tells a caller the same, without the cause.
    #[cfg(feature = "bridge")]
    pub(crate) fn twin(&self) -> Self {
        Self {
            kind: self.kind,
            message: self.message.clone(),
            details: self.details.clone(),
            retry_after: self.retry_after,
            source: None,
        }
    }

    /// What went wrong; the only thing protocols match on.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Whose fault it is.
    #[must_use]
    pub fn fault(&self) -> Fault {
        self.kind.row().fault
    }

    /// The text for the caller.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Facts a program can read.
    #[must_use]
    pub fn details(&self) -> Option<&RawJson> {
        self.details.as_ref()
    }

    /// When trying again makes sense: what the error says, else what its kind says.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after.or(match self.kind.row().retry {
            Retry::After(wait) => Some(wait),
            Retry::No | Retry::Changed => None,
        })
    }
}

impl From<crate::name::NameError> for EngineError {
    fn from(error: crate::name::NameError) -> Self {
        Self::new(ErrorKind::InvalidParams, error.to_string())
    }
}
