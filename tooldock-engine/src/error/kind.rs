//! The kinds of error.

use super::table::{ErrorRow, TABLE};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident,)*) => {
        /// What went wrong. What a kind means at each door stands in its [row](Self::row).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind { $($(#[$doc])* $kind,)* }

        impl ErrorKind {
            /// Every kind, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];
        }
    };
}

kinds! {
    /// No credentials, or wrong ones.
    Unauthorized,
    /// A known caller who may not do this.
    Forbidden,
    /// The request names no namespace.
    NamespaceMissing,
    /// The request names a namespace that is not there.
    NamespaceUnknown,
    /// The request is not of the protocol's form.
    InvalidRequest,
    /// The request is larger than the limit.
    RequestTooLarge,
    /// The request did not arrive in time.
    RequestTimeout,
    /// Parameters of a method are missing or have the wrong shape.
    InvalidParams,
    /// No such tool, or not for this caller.
    UnknownTool,
    /// No such resource, or not for this caller.
    UnknownResource,
    /// No such prompt, or not for this caller.
    UnknownPrompt,
    /// The arguments of a tool do not fit its input schema.
    InvalidArguments,
    /// The engine does not offer this kind of request.
    Unsupported,
    /// The tool itself failed and says why.
    ToolFailed,
    /// A package, a file or a secret that the tool needs is missing.
    Dependency,
    /// The tool's structured result does not fit its output schema.
    InvalidOutput,
    /// The result is larger than the limit.
    ResultTooLarge,
    /// The tool did not answer in time.
    Timeout,
    /// The call was cancelled.
    Cancelled,
    /// The call needs an answer from the client that this door cannot ask for.
    InputRequired,
    /// The caller asks more often than he may.
    RateLimited,
    /// Too many calls run and wait.
    Overloaded,
    /// The namespace has no process that could answer.
    Unavailable,
    /// The process that ran the call died.
    Crashed,
    /// The gateway or the runtime broke.
    Internal,
}

impl ErrorKind {
    /// What this kind means at every door.
    #[must_use]
    pub fn row(self) -> &'static ErrorRow {
        &TABLE[self as usize]
    }

    /// The name of the kind: worker code, REST code and metric label.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// The kind that carries `code`, for reading what a worker sent.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.code() == code)
    }
}
