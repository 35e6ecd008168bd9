//! Why a server did not answer.

use std::time::Duration;

use tooldock_engine::{RawJson, json::ObjectWriter};

use super::Address;
use crate::{
    refusal::code,
    wire::{Message, MessageId, write_error},
};

/// Why a server did not answer. The texts are for whoever asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpstreamError {
    /// It could not be reached; nothing was sent.
    #[error(
        "the server at `{address}` cannot be reached: {reason}; nothing was sent, so try again once it runs"
    )]
    Away {
        /// Where it should be.
        address: Address,
        /// What the system says.
        reason: String,
    },
    /// The request was sent and the connection ended before the answer. No request is repeated.
    #[error(
        "the connection to `{address}` ended before the answer came ({reason}); whether the request was carried out is unknown, and it is not repeated"
    )]
    Lost {
        /// Where it is.
        address: Address,
        /// How the connection ended.
        reason: String,
    },
    /// The request was sent and nothing came back in time.
    #[error("the server at `{address}` was silent for {} s (CONNECT_SILENCE_SECONDS); whether the request was carried out is unknown, and it is not repeated", limit.as_secs())]
    Silent {
        /// Where it is.
        address: Address,
        /// How long it may be silent.
        limit: Duration,
    },
    /// It refused, in words that are no message of the protocol.
    #[error("the server at `{address}` refuses with status {status}{hint}")]
    Refused {
        /// Where it is.
        address: Address,
        /// The status of HTTP.
        status: u16,
        /// What to do about it, after a semicolon; or nothing.
        hint: &'static str,
    },
    /// It sent what is no message of the protocol.
    #[error("the server at `{address}` does not keep to the protocol: {reason}")]
    Foreign {
        /// Where it is.
        address: Address,
        /// The broken rule.
        reason: String,
    },
    /// It answered with an error of JSON-RPC.
    #[error("the server answers with the error {code}: {message}")]
    Answered {
        /// The code.
        code: i64,
        /// The text.
        message: String,
        /// What else it says.
        data: Option<RawJson>,
    },
}

impl UpstreamError {
    /// The answer to the request `id` of somebody on whose behalf the server was asked.
    pub(crate) fn answer(&self, id: Option<&MessageId>) -> RawJson {
        let Self::Answered { code, message, data } = self else {
            return write_error(id, code::INTERNAL, &self.to_string(), None);
        };
        let mut error = ObjectWriter::new();
        error
            .number("code", *code)
            .string("message", message)
            .maybe("data", data.as_ref());
        super::posted::refusal(id, &error.finish())
    }

    /// The error that a response of JSON-RPC carries, if it carries one.
    pub(super) fn read(response: &RawJson) -> Option<Self> {
        #[derive(serde::Deserialize)]
        struct Body<'a> {
            code: i64,
            message: String,
            #[serde(borrow)]
            data: Option<&'a serde_json::value::RawValue>,
        }
        let Ok(Message::Response(response)) = Message::read(response) else {
            return None;
        };
        let error = response.outcome.err()?;
        let body: Body<'_> = error.parse().ok()?;
        Some(Self::Answered {
            code: body.code,
            message: body.message,
            data: body.data.map(|data| error.part(data)),
        })
    }

    /// Says what the status of a refusal calls for.
    pub(super) fn refused(address: &Address, status: u16) -> Self {
        let hint = match status {
            300..=399 => "; it redirects to another place, so give that address",
            401 => "; it wants a token, or another one",
            403 => "; the token does not allow this",
            404 => "; there is nothing at this address",
            405 => "; this is no MCP endpoint of Streamable HTTP",
            413 => "; the message is too long for it",
            429 | 503 => "; it is busy or not ready, so try again later",
            _ => "",
        };
        Self::Refused {
            address: address.clone(),
            status,
            hint,
        }
    }
}
