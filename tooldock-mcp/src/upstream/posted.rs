//! What came back for one POST.

use std::sync::Arc;

use http::{HeaderMap, header::CONTENT_TYPE};
use reqwest::Response;
use tooldock_engine::{RawJson, json::ObjectWriter};

use super::{UpstreamError, endpoint::Endpoint, events::Events};
use crate::wire::{Message, MessageId};

/// What came back for one POST.
#[derive(Debug)]
pub(super) struct Posted {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) content: Content,
}

/// The body of a response.
#[derive(Debug)]
pub(super) enum Content {
    /// None, or one that says nothing.
    Nothing,
    /// One message.
    One(RawJson),
    /// Several.
    Events(Box<Events>),
}

impl Posted {
    /// Reads a response as far as it has to be read to know what it is.
    pub(super) async fn read(endpoint: &Arc<Endpoint>, response: Response) -> Result<Self, UpstreamError> {
        let (status, headers) = (response.status(), response.headers().clone());
        let kind = headers
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .and_then(|kind| kind.split(';').next())
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let content = match &*kind {
            "text/event-stream" if status.is_success() => {
                Content::Events(Box::new(Events::new(endpoint.clone(), response)))
            }
            "application/json" => {
                let body = endpoint.body(response).await?;
                let json = RawJson::scan(body, endpoint.settings.message_limits);
                match json {
                    Ok(json) => Content::One(json),
                    Err(_) if !status.is_success() => Content::Nothing,
                    Err(fault) => return Err(endpoint.foreign(fault.to_string())),
                }
            }
            _ => Content::Nothing,
        };
        Ok(Self {
            status: status.as_u16(),
            headers,
            content,
        })
    }

    /// The error that it is, if it is one of JSON-RPC.
    pub(super) fn error(&self) -> Option<RawJson> {
        #[derive(serde::Deserialize)]
        struct Envelope<'a> {
            #[serde(borrow)]
            error: &'a serde_json::value::RawValue,
        }
        let Content::One(json) = &self.content else {
            return None;
        };
        let envelope: Envelope<'_> = json.parse().ok()?;
        Some(json.part(envelope.error)).filter(RawJson::is_object)
    }

    /// The code of that error.
    pub(super) fn code(&self) -> Option<i64> {
        #[derive(serde::Deserialize)]
        struct Code {
            code: i64,
        }
        Some(self.error()?.parse::<Code>().ok()?.code)
    }
}

/// The response that carries a ready error object.
pub(super) fn refusal(id: Option<&MessageId>, error: &RawJson) -> RawJson {
    let null = RawJson::null();
    let mut out = ObjectWriter::new();
    out.string("jsonrpc", "2.0")
        .raw("id", id.map_or(&null, MessageId::as_json))
        .raw("error", error);
    out.finish()
}

/// Whether `json` is the response to the request `id`. Servers may write the same id in other bytes.
pub(super) fn answers(json: &RawJson, id: &MessageId) -> bool {
    let Ok(Message::Response(response)) = Message::read(json) else {
        return false;
    };
    let value = |id: &MessageId| id.as_json().parse::<serde_json::Value>().ok();
    response.id == *id || value(&response.id) == value(id)
}
