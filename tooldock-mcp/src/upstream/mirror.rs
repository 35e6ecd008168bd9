//! The headers that mirror parts of a message (2026-07-28, Transports).

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tooldock_engine::RawJson;

use super::agreed::VERSION;
use crate::{
    mark::Mark,
    wire::{Params, names},
};

/// What `Mcp-Name` repeats, by method.
const NAMED: [(&str, &str); 6] = [
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
    ("tasks/get", "taskId"),
    ("tasks/update", "taskId"),
    ("tasks/cancel", "taskId"),
];

/// The headers of a message that describes itself; `marks` are those of the tool that it calls.
pub(super) fn mirrored(method: &str, params: &Params, marks: &[Mark]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut add = |name: &str, value: Cow<'_, str>| {
        let name = HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(&value)) {
            headers.insert(name, value);
        }
    };
    let version = params.meta().get(names::PROTOCOL_VERSION);
    if let Some(version) = version.and_then(|version| version.parse::<String>().ok()) {
        add(VERSION, version.into());
    }
    add("mcp-method", method.into());
    let named = NAMED.iter().find(|(named, _)| *named == method);
    if let Some(name) = named.and_then(|(_, member)| params.text(member)) {
        add("mcp-name", encoded(&name));
    }
    if !marks.is_empty() {
        let arguments = params.get("arguments").map(RawJson::parse).and_then(Result::ok);
        let arguments: Value = arguments.unwrap_or_default();
        for mark in marks {
            match mark.value(&arguments) {
                Some(Value::String(text)) => add(&mark.header, encoded(text)),
                Some(value @ (Value::Number(_) | Value::Bool(_))) => {
                    add(&mark.header, value.to_string().into());
                }
                _ => {}
            }
        }
    }
    headers
}

/// The text itself if a header can carry it unchanged, else as a base64 sentinel.
fn encoded(text: &str) -> Cow<'_, str> {
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && text.trim().len() == text.len()
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if plain {
        return text.into();
    }
    format!("=?base64?{}?=", STANDARD.encode(text)).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tooldock_engine::json::ScanLimits;

    use super::*;
    use crate::{era::Single, wire::Message};

    fn headers(method: &str, params: &Value, schema: &Value) -> HeaderMap {
        let text = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let message = Message::read(&RawJson::scan(text, ScanLimits::MESSAGE).unwrap()).unwrap();
        mirrored(method, message.params().unwrap(), &Mark::all(schema))
    }

    #[test]
    fn s40_headers_repeat_the_body_whatever_it_holds() {
        let schema = json!({"properties": {
            "text": {"type": "string", "x-mcp-header": "Text"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "deep": {"properties": {"flag": {"type": "boolean", "x-mcp-header": "Flag"}}},
            "none": {"type": "string", "x-mcp-header": "None"},
            "own": {"type": "string"},
        }});
        for text in [
            "plain",
            "",
            "a b",
            " a",
            "a ",
            "\ta",
            "größe",
            "a\r\nx: y",
            "=?base64?YQ==?=",
            "=?base64?",
            "\u{7f}",
        ] {
            let arguments =
                json!({"text": text, "count": 42, "deep": {"flag": false}, "none": null, "own": "x"});
            let params = json!({"name": text, "arguments": arguments,
                "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
            let headers = headers("tools/call", &params, &schema);
            let read = |name: &str| Single::read(&headers, name).decoded().map(Cow::into_owned);
            assert_eq!(read("mcp-name").as_deref(), Some(text));
            assert_eq!(read("mcp-param-text").as_deref(), Some(text));
            assert_eq!(read("mcp-param-count").as_deref(), Some("42"));
            assert_eq!(read("mcp-param-flag").as_deref(), Some("false"));
            assert_eq!(read("mcp-method").as_deref(), Some("tools/call"));
            assert_eq!(read("mcp-protocol-version").as_deref(), Some("2026-07-28"));
            assert_eq!(headers.len(), 6, "{headers:?}");
        }
        let read = headers("resources/read", &json!({"uri": "note://a"}), &json!({}));
        assert_eq!(
            (&read["mcp-name"], read.len()),
            (&HeaderValue::from_static("note://a"), 2)
        );
    }
}
