//! One message, read once.

use serde::Deserialize;
use serde_json::value::RawValue;
use tooldock_engine::RawJson;

use super::{MessageId, Params, id::present, members::Object};

/// One message of a peer.
#[derive(Debug, Clone)]
pub enum Message {
    /// Wants an answer.
    Request(Request),
    /// Wants none.
    Notification(Notification),
    /// Answers what was asked of the peer.
    Response(Response),
    /// Several in one array, each of them unread; only 2025-03-26 has them.
    Batch(Vec<RawJson>),
}

/// A message that wants an answer.
#[derive(Debug, Clone)]
pub struct Request {
    /// What the answer must repeat.
    pub id: MessageId,
    /// What is asked for.
    pub method: Box<str>,
    /// With which parameters.
    pub params: Params,
}

/// A message that wants no answer.
#[derive(Debug, Clone)]
pub struct Notification {
    /// What is told.
    pub method: Box<str>,
    /// With which parameters.
    pub params: Params,
}

/// The answer to a request of the server.
#[derive(Debug, Clone)]
pub struct Response {
    /// The id of that request.
    pub id: MessageId,
    /// `result`, or `error` as the peer sent it.
    pub outcome: Result<RawJson, RawJson>,
}

/// JSON that is no message: why, and the id if it could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The broken rule, in words for the peer.
    pub reason: &'static str,
    /// The id to answer with.
    pub id: Option<MessageId>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default, borrow, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(default, borrow, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(default, borrow, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(default, borrow)]
    params: Object<'a>,
    #[serde(default, borrow, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(default, borrow, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

impl Message {
    /// Reads a scanned JSON text as a message.
    ///
    /// # Errors
    /// When it is no message of JSON-RPC 2.0 as this protocol narrows it.
    pub fn read(json: &RawJson) -> Result<Self, Malformed> {
        if json.is_array() {
            let parts: Vec<&RawValue> = json
                .parse()
                .map_err(|_| malformed("the array cannot be read", None))?;
            return Ok(Self::Batch(
                parts.into_iter().map(|part| json.part(part)).collect(),
            ));
        }
        let envelope: Envelope<'_> = json
            .parse()
            .map_err(|_| malformed("a message is an object", None))?;
        let id = envelope.id.map(|id| MessageId::new(json.part(id)));
        let known = id.clone().flatten();
        if envelope.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
            return Err(malformed("`jsonrpc` must be \"2.0\"", known));
        }
        if id == Some(None) {
            return Err(malformed(
                "`id` must be a text of at most 256 bytes or a 64-bit integer",
                None,
            ));
        }
        let outcome = match (envelope.result, envelope.error) {
            (Some(result), None) => Some(Ok(json.part(result))),
            (None, Some(error)) => Some(Err(json.part(error))),
            (None, None) => None,
            (Some(_), Some(_)) => return Err(malformed("`result` and `error` exclude each other", known)),
        };
        let method = match envelope.method {
            Some(method) => Some(
                serde_json::from_str::<Box<str>>(method.get())
                    .map_err(|_| malformed("`method` must be a text", known.clone()))?,
            ),
            None => None,
        };
        let params = Params::cut(json, &envelope.params);
        match (method, known, outcome) {
            (Some(method), Some(id), None) => Ok(Self::Request(Request { id, method, params })),
            (Some(method), None, None) => Ok(Self::Notification(Notification { method, params })),
            (None, Some(id), Some(outcome)) => Ok(Self::Response(Response { id, outcome })),
            (_, id, _) => Err(malformed(
                "a message is a request, a notification or a response",
                id,
            )),
        }
    }

    /// The id that an answer to this message carries.
    #[must_use]
    pub fn id(&self) -> Option<&MessageId> {
        match self {
            Self::Request(request) => Some(&request.id),
            _ => None,
        }
    }

    /// The parameters of a request or notification.
    #[must_use]
    pub fn params(&self) -> Option<&Params> {
        match self {
            Self::Request(request) => Some(&request.params),
            Self::Notification(notification) => Some(&notification.params),
            Self::Response(_) | Self::Batch(_) => None,
        }
    }
}

fn malformed(reason: &'static str, id: Option<MessageId>) -> Malformed {
    Malformed { reason, id }
}
