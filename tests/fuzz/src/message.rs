//! The reader of messages, against one that follows the words of JSON-RPC member by member.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use tooldock_engine::{RawJson, json::ScanLimits};
use tooldock_mcp::wire::{Malformed, Message, MessageId};

type Members<'a> = BTreeMap<String, &'a RawValue>;

/// Members of `params` that methods read.
const NAMES: [&str; 8] = [
    "name",
    "arguments",
    "cursor",
    "uri",
    "ref",
    "requestState",
    "progressToken",
    "level",
];
/// Members of `_meta` that methods read.
const META: [&str; 3] = [
    "progressToken",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/logLevel",
];

/// A message is what its members say, a refusal carries the id if there is one, and what is written again reads the same.
pub fn check(input: &[u8], planted: bool) {
    let Ok(json) = RawJson::scan(input.to_vec(), ScanLimits::MESSAGE) else {
        return;
    };
    let read = read(&json, planted);
    if json.is_array() {
        let parts: Vec<&RawValue> = json.parse().expect("it was scanned");
        let Ok(Message::Batch(read)) = read else {
            unreachable!("an array is read as {read:?}")
        };
        assert!(
            read.iter()
                .map(RawJson::as_str)
                .eq(parts.into_iter().map(RawValue::get))
        );
        return;
    }
    let members: Members<'_> = json.parse().unwrap_or_default();
    let id = members.get("id").map(|id| id.get()).filter(|id| is_id(id));
    assert_eq!(kind(&read), expected(&members, id), "{read:?}");
    let message = match read {
        Err(malformed) => {
            assert_eq!(malformed.id.as_ref().map(|id| id.as_json().as_str()), id);
            return;
        }
        Ok(message) => message,
    };
    if let Message::Request(request) = &message {
        assert_eq!(message.id(), Some(&request.id));
    }
    judge_params(&message, members.get("params").copied());
    let again = write(&message, &members);
    let again = RawJson::scan(again, ScanLimits::MESSAGE).expect("what was read can be written");
    let again = Message::read(&again).expect("what was written can be read");
    assert_eq!(format!("{again:?}"), format!("{message:?}"));
}

/// A text of at most 256 bytes or an integer of 64 bits.
fn is_id(text: &str) -> bool {
    let range = i128::from(i64::MIN)..=i128::from(u64::MAX);
    text.starts_with('"') && text.len() <= 258 || text.parse().is_ok_and(|number| range.contains(&number))
}

fn kind(read: &Result<Message, Malformed>) -> &'static str {
    match read {
        Ok(Message::Request(_)) => "request",
        Ok(Message::Notification(_)) => "notification",
        Ok(Message::Response(_)) => "response",
        Ok(Message::Batch(_)) => "batch",
        Err(_) => "malformed",
    }
}

fn expected(members: &Members<'_>, id: Option<&str>) -> &'static str {
    let get = |name| members.get(name).map(|raw| raw.get());
    let is_text = |text: &str| text.starts_with('"');
    let sound = get("jsonrpc") == Some("\"2.0\"") && get("id").is_some() == id.is_some();
    match (get("method"), id, get("result"), get("error")) {
        _ if !sound => "malformed",
        (Some(method), Some(_), None, None) if is_text(method) => "request",
        (Some(method), None, None, None) if is_text(method) => "notification",
        (None, Some(_), Some(_), None) | (None, Some(_), None, Some(_)) => "response",
        _ => "malformed",
    }
}

fn judge_params(message: &Message, raw: Option<&RawValue>) {
    let Some(params) = message.params() else {
        return;
    };
    let split = |raw: Option<&RawValue>| {
        raw.map(|raw| serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(raw.get()))
    };
    let members = split(raw);
    let meta = members
        .as_ref()
        .and_then(|members| split(members.as_ref().ok()?.get("_meta").map(|raw| &**raw)));
    let broken = |part: &Option<serde_json::Result<_>>| part.as_ref().is_some_and(Result::is_err);
    assert_eq!(params.well_formed(), !broken(&members) && !broken(&meta));
    let (members, meta) = (
        members.and_then(Result::ok).unwrap_or_default(),
        meta.and_then(Result::ok).unwrap_or_default(),
    );
    for name in NAMES {
        assert_eq!(
            params.get(name).map(RawJson::as_str),
            members.get(name).map(|raw| raw.get()),
            "{name}"
        );
        let text = members
            .get(name)
            .and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
        assert_eq!(params.text(name), text, "{name}");
    }
    for name in META {
        assert_eq!(
            params.meta().get(name).map(RawJson::as_str),
            meta.get(name).map(|raw| raw.get()),
            "{name}"
        );
    }
    assert_eq!(params.meta().is_claim(), meta.contains_key(META[1]));
}

/// The same message with its members in another order.
fn write(message: &Message, members: &Members<'_>) -> String {
    let params = members.get("params").map(|raw| ("params", raw.get().to_owned()));
    let method = |method: &str| ("method", RawJson::string(method).to_string());
    let id = |id: &MessageId| ("id", id.as_json().to_string());
    let parts = match message {
        Message::Request(request) => vec![Some(method(&request.method)), params, Some(id(&request.id))],
        Message::Notification(told) => vec![params, Some(method(&told.method))],
        Message::Response(response) => {
            let outcome = match &response.outcome {
                Ok(result) => ("result", result.to_string()),
                Err(error) => ("error", error.to_string()),
            };
            vec![Some(outcome), params, Some(id(&response.id))]
        }
        Message::Batch(_) => Vec::new(),
    };
    let parts = parts
        .into_iter()
        .flatten()
        .map(|(name, value)| format!("\"{name}\" : {value} ,"));
    format!("{{ {} \"jsonrpc\" : \"2.0\"\n}}", parts.collect::<String>())
}

/// The bug: an empty text is no id of a request.
fn read(json: &RawJson, planted: bool) -> Result<Message, Malformed> {
    let read = Message::read(json);
    match read {
        Ok(Message::Request(request)) if planted && request.id.as_json().as_str() == "\"\"" => {
            Err(Malformed {
                reason: "`id` is empty",
                id: None,
            })
        }
        read => read,
    }
}
