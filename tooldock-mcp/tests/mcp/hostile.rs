//! Generated input for everything that reads what strangers send: nothing breaks, and what is read means what it says.

use http::{HeaderMap, HeaderValue};
use proptest::prelude::*;
use tooldock_engine::{RawJson, json::ScanLimits};
use tooldock_mcp::{
    Revisions,
    era::{Ask, Exchange, Headers, SessionFact, Single, classify},
    stream::EventId,
    wire::Message,
};

/// Pieces of messages, in any order.
fn message_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(r#"{"jsonrpc":"2.0""#.to_owned()),
        Just(r#","id":"#.to_owned()),
        Just(r#","method":"tools/call""#.to_owned()),
        Just(r#","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"#.to_owned()),
        Just(r#","result":{}"#.to_owned()),
        Just(r#","error":null"#.to_owned()),
        "[\\[\\]{},:\"0-9.eE+-]{0,6}",
        "\\PC{0,8}",
    ];
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// Objects with the members of messages and any values in them.
fn message() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just("null".to_owned()),
        Just("{}".to_owned()),
        Just("[]".to_owned()),
        Just("\"2.0\"".to_owned()),
        Just("\"initialize\"".to_owned()),
        Just("\"tools/call\"".to_owned()),
        Just(r#"{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}"#.to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f32>().prop_filter("JSON", |number| number.is_finite()).prop_map(|number| number.to_string()),
    ];
    let name = prop::sample::select(vec!["jsonrpc", "id", "method", "params", "result", "error", "x"]);
    let members = prop::collection::btree_map(name, value, 0..7);
    members.prop_map(|members| {
        let members: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"))
            .collect();
        format!("{{{}}}", members.join(","))
    })
}

fn header() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("2026-07-28".to_owned()),
        Just("2025-11-25".to_owned()),
        Just("tools/call".to_owned()),
        "=\\?base64\\?[A-Za-z0-9+/=]{0,12}\\?=",
        "[ -~]{0,12}",
    ]
}

fn headers() -> impl Strategy<Value = HeaderMap> {
    let name = prop::sample::select(vec!["mcp-protocol-version", "mcp-method", "mcp-name"]);
    prop::collection::vec((name, header()), 0..5).prop_map(|pairs| {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(name, HeaderValue::from_str(&value).unwrap());
        }
        map
    })
}

fn read(text: &str) -> Option<Message> {
    Message::read(&RawJson::scan(text.to_owned(), ScanLimits::MESSAGE).ok()?).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn what_is_read_as_a_message_is_one(text in prop_oneof![message_text(), message()]) {
        let Some(message) = read(&text) else { return Ok(()) };
        if text.trim_start().starts_with('[') {
            prop_assert!(matches!(message, Message::Batch(_)));
            return Ok(());
        }
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&value["jsonrpc"], "2.0");
        let (id, method) = (value.get("id"), value.get("method"));
        match message {
            Message::Request(request) => {
                prop_assert_eq!(Some(&serde_json::from_str(request.id.as_json().as_str()).unwrap()), id);
                prop_assert_eq!(Some(&*request.method), method.and_then(|method| method.as_str()));
            }
            Message::Notification(_) => prop_assert!(id.is_none() && method.is_some()),
            Message::Response(_) => prop_assert!(id.is_some() && method.is_none()),
            Message::Batch(_) => prop_assert!(false, "only arrays are batches"),
        }
    }

    #[test]
    fn every_exchange_is_decided(text in message(), map in headers(), known in 0_usize..3) {
        let Some(message) = read(&text) else { return Ok(()) };
        let session = [
            SessionFact::Unnamed,
            SessionFact::Unknown,
            SessionFact::Open(tooldock_mcp::Revision::V2025_11_25),
        ][known];
        let headers = Headers::read(&map);
        let decided = classify(&Exchange {
            ask: Ask::Send(&message),
            headers: Some(headers),
            session,
            spoken: Revisions::default(),
        });
        let claims = message.params().is_some_and(|params| params.meta().is_claim());
        match decided {
            Err(refusal) => prop_assert!((400..500).contains(&refusal.status())),
            Ok(tooldock_mcp::era::Route::Session(_)) => {
                prop_assert!(matches!(session, SessionFact::Open(_)) && !claims);
            }
            Ok(tooldock_mcp::era::Route::Modern(revision)) => {
                prop_assert!(claims && headers.version == Single::One(revision.as_str()));
            }
            Ok(_) => {}
        }
    }

    #[test]
    fn a_decoded_header_is_what_was_encoded(text in "\\PC{0,40}") {
        use base64::{Engine as _, engine::general_purpose::STANDARD};
        let value = format!("=?base64?{}?=", STANDARD.encode(&text));
        let decoded = Single::One(&value).decoded();
        prop_assert_eq!(decoded.as_deref(), Some(&*text));
    }

    #[test]
    fn any_header_is_decoded_or_not(text in header()) {
        let decoded = Single::One(&text).decoded();
        let sentinel = text.starts_with("=?base64?") && text.ends_with("?=") && text.len() >= 11;
        prop_assert!(sentinel || decoded.as_deref() == Some(&*text));
    }

    #[test]
    fn an_event_id_has_one_spelling(text in prop_oneof!["[0-9a-fA-F+-]{0,40}", "[0-9a-f]{16}-[0-9]{1,21}", "\\PC{0,40}"]) {
        if let Ok(id) = text.parse::<EventId>() {
            prop_assert_eq!(id.to_string(), text);
        }
    }
}
