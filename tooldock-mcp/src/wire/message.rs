//! One message, read once.

use serde_json::value::RawValue;
use tooldock_engine::{
    RawJson,
    json::{Member, Outline, ScanLimits},
};

use super::{MessageId, Params};

/// How deep the outline of a message goes: its members, those of `params` and those of `_meta`.
pub(crate) const LEVELS: usize = 3;

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

/// The members of a message that are read.
#[derive(Default)]
struct Envelope<'a> {
    jsonrpc: Option<Member<'a>>,
    id: Option<Member<'a>>,
    method: Option<Member<'a>>,
    params: Option<Member<'a>>,
    result: Option<Member<'a>>,
    error: Option<Member<'a>>,
}

impl<'a> Envelope<'a> {
    fn of(outline: &'a Outline) -> Self {
        let mut envelope = Self::default();
        for member in outline.members() {
            let place = match member.name() {
                b"jsonrpc" => &mut envelope.jsonrpc,
                b"id" => &mut envelope.id,
                b"method" => &mut envelope.method,
                b"params" => &mut envelope.params,
                b"result" => &mut envelope.result,
                b"error" => &mut envelope.error,
                _ => continue,
            };
            *place = Some(member);
        }
        envelope
    }
}

impl Message {
    /// Reads a scanned JSON text as a message.
    ///
    /// # Errors
    /// When it is no message of JSON-RPC 2.0 as this protocol narrows it.
    pub fn read(json: &RawJson) -> Result<Self, Malformed> {
        const KEPT: ScanLimits = ScanLimits {
            depth: usize::MAX,
            values: usize::MAX,
        };
        let outline = Outline::scan(json.clone().into_bytes(), KEPT, LEVELS);
        Self::of(&outline.map_err(|_| malformed("a message repeats no member", None))?)
    }

    /// Reads a message from the outline of its text, of at least [`LEVELS`].
    pub(crate) fn of(outline: &Outline) -> Result<Self, Malformed> {
        let json = outline.json();
        if json.is_array() {
            let parts: Vec<&RawValue> = json
                .parse()
                .map_err(|_| malformed("the array cannot be read", None))?;
            return Ok(Self::Batch(
                parts.into_iter().map(|part| json.part(part)).collect(),
            ));
        }
        if !json.is_object() {
            return Err(malformed("a message is an object", None));
        }
        let envelope = Envelope::of(outline);
        let id = envelope.id.map(|id| MessageId::new(id.value()));
        let known = id.clone().flatten();
        if envelope.jsonrpc.map(Member::text) != Some(b"\"2.0\"") {
            return Err(malformed("`jsonrpc` must be \"2.0\"", known));
        }
        if id == Some(None) {
            return Err(malformed(
                "`id` must be a text of at most 256 bytes or a 64-bit integer",
                None,
            ));
        }
        let outcome = match (envelope.result, envelope.error) {
            (Some(result), None) => Some(Ok(result.value())),
            (None, Some(error)) => Some(Err(error.value())),
            (None, None) => None,
            (Some(_), Some(_)) => return Err(malformed("`result` and `error` exclude each other", known)),
        };
        let method = match envelope.method {
            Some(method) => Some(
                serde_json::from_slice::<Box<str>>(method.text())
                    .map_err(|_| malformed("`method` must be a text", known.clone()))?,
            ),
            None => None,
        };
        let params = Params::cut(envelope.params);
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
