//! A message that is refused, or a request that is answered with an error.

use std::borrow::Cow;

use tooldock_engine::{EngineError, ErrorKind, RawJson, error::McpAnswer};

use crate::{
    connection::Answer,
    revision::Era,
    wire::{Malformed, MessageId, write_error},
};

/// Codes that the protocol itself defines.
pub(crate) mod code {
    /// Not JSON.
    pub(crate) const PARSE: i32 = -32_700;
    /// Not a message that may be sent here.
    pub(crate) const INVALID_REQUEST: i32 = -32_600;
    /// No such method.
    pub(crate) const METHOD_NOT_FOUND: i32 = -32_601;
    /// Parameters are missing or malformed.
    pub(crate) const INVALID_PARAMS: i32 = -32_602;
    /// Failed outside a tool result.
    pub(crate) const INTERNAL: i32 = -32_603;
    /// A header says one thing, the body another.
    pub(crate) const HEADER_MISMATCH: i32 = -32_020;
    /// The client cannot do what the tool needs.
    pub(crate) const MISSING_CAPABILITY: i32 = -32_021;
    /// The revision is not spoken here.
    pub(crate) const UNSUPPORTED_VERSION: i32 = -32_022;
}

/// Why a message is not answered with a result: a JSON-RPC error and the HTTP status it travels under.
///
/// ```
/// use tooldock_engine::{EngineError, ErrorKind};
/// use tooldock_mcp::Refusal;
/// let refusal = Refusal::from(&EngineError::new(ErrorKind::NamespaceUnknown, "there is no namespace `x`"));
/// assert_eq!((refusal.status(), refusal.code()), (404, -33_004));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    status: u16,
    code: i32,
    message: Cow<'static, str>,
    data: Option<RawJson>,
}

impl Refusal {
    pub(crate) fn new(status: u16, code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            data: None,
        }
    }

    /// Refused before dispatch, with status 400.
    pub(crate) fn bad(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(400, code, message)
    }

    /// Answered after dispatch, with status 200: 4xx always means that nothing was done.
    pub(crate) fn params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(200, code::INVALID_PARAMS, message)
    }

    pub(crate) fn with_data(mut self, data: RawJson) -> Self {
        self.data = Some(data);
        self
    }

    /// An engine's error in a method that was dispatched.
    pub(crate) fn dispatched(error: &EngineError, era: Era) -> Self {
        let code = match (error.kind().row().mcp, era) {
            (McpAnswer::Error { modern, .. }, Era::Modern) => modern,
            (McpAnswer::Error { handshake, .. }, Era::Handshake) => handshake,
            // Outside tools, arguments that do not fit are parameters that do not (every revision, Prompts, Error Handling).
            (McpAnswer::Result, _) if error.kind() == ErrorKind::InvalidArguments => code::INVALID_PARAMS,
            (McpAnswer::Result, _) => code::INTERNAL,
        };
        Self {
            status: 200,
            code,
            message: error.message().to_owned().into(),
            data: error.details().cloned(),
        }
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The JSON-RPC code.
    #[must_use]
    pub fn code(&self) -> i32 {
        self.code
    }

    /// The text for the peer.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The answer to the request called `id`; `id` is null when it could not be read.
    #[must_use]
    pub fn answer(&self, id: Option<&MessageId>) -> Answer {
        Answer {
            body: write_error(id, self.code, &self.message, self.data.as_ref()),
            status: self.status,
        }
    }
}

impl From<&EngineError> for Refusal {
    /// An error before dispatch: in a layer in front, or while the namespace is looked up.
    fn from(error: &EngineError) -> Self {
        Self {
            status: error.kind().row().rest_status,
            ..Self::dispatched(error, Era::Modern)
        }
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        Self::from(&error)
    }
}

impl From<&Malformed> for Refusal {
    fn from(malformed: &Malformed) -> Self {
        Self::bad(code::INVALID_REQUEST, malformed.reason)
    }
}
