//! What is no message: it is refused with its code whatever carries it, it says what to do, and nothing else suffers.

use http::Method;
use serde_json::json;
use tooldock_mcp::Settings;

use crate::{
    peer::Peer,
    scene::{MODERN, Scene, mock},
};

const PARSE: i64 = -32_700;
const INVALID: i64 = -32_600;

/// A text, the code of its refusal, and what the refusal says.
fn texts() -> Vec<(String, i64, &'static str)> {
    let deep = "(at byte 64); send it flatter, or let the operator raise MAX_JSON_DEPTH";
    let wide = "more than `100000` values (at byte 199999); send less at once, or let the operator raise MAX_JSON_VALUES";
    let object = "; send one JSON object";
    let with = |member: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping",{member}}}"#);
    vec![
        (String::new(), PARSE, object),
        (
            " \t ".to_owned(),
            PARSE,
            "is not JSON (at byte 3); send one JSON object",
        ),
        ("\u{feff}{}".to_owned(), PARSE, object),
        ("\0".to_owned(), PARSE, object),
        ("{".to_owned(), PARSE, object),
        ("{'a':1}".to_owned(), PARSE, object),
        (
            "{}{}".to_owned(),
            PARSE,
            "more text behind the value (at byte 2); send one JSON object",
        ),
        (with(r#""params":NaN"#), PARSE, object),
        (
            with(r#""params":{"x":"\ud800"}"#),
            PARSE,
            "; escape both halves of the pair",
        ),
        (
            with(r#""params":{"\udc00":1}"#),
            PARSE,
            "; escape both halves of the pair",
        ),
        (
            with(r#""params":{"x":1e999}"#),
            INVALID,
            "; send such a number as a text",
        ),
        (with(r#""id":2"#), INVALID, "; name each member once"),
        ("[".repeat(65) + &"]".repeat(65), INVALID, deep),
        ("[".repeat(1 << 20), INVALID, deep),
        (format!("[{}1]", "1,".repeat(100_000)), INVALID, wide),
        ("null".to_owned(), INVALID, "a message is an object"),
        ("\"ping\"".to_owned(), INVALID, "a message is an object"),
        ("{}".to_owned(), INVALID, "`jsonrpc` must be"),
        (
            r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#.to_owned(),
            INVALID,
            "`jsonrpc` must be",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":null}"#.to_owned(),
            INVALID,
            "`method` must be a text",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":["ping"]}"#.to_owned(),
            INVALID,
            "`method` must be a text",
        ),
        (
            r#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#.to_owned(),
            INVALID,
            "`id` must be",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1}"#.to_owned(),
            INVALID,
            "a request, a notification or a response",
        ),
        (
            r#"{"jsonrpc":"2.0"}"#.to_owned(),
            INVALID,
            "a request, a notification or a response",
        ),
        (
            with(r#""result":{}"#),
            INVALID,
            "a request, a notification or a response",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#.to_owned(),
            INVALID,
            "exclude each other",
        ),
    ]
}

fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

#[tokio::test]
async fn what_is_no_message_is_refused_with_its_code_and_says_what_to_do() {
    let scene = Scene::new();
    let session = scene.initialize().await;
    for (text, code, told) in texts() {
        let modern = scene
            .ask()
            .with("mcp-protocol-version", MODERN)
            .with("mcp-method", "ping");
        for ask in [scene.ask(), modern, scene.ask().session(&session)] {
            let got = ask.post(&text).await;
            assert_eq!((got.status, got.code()), (400, code), "{}: {got:?}", shown(&text));
            let message = got.json()["error"]["message"].as_str().unwrap().to_owned();
            assert!(message.contains(told), "{}: {message}", shown(&text));
            // A hint is given where it helps.
            let is_hinted = message.contains("send one JSON object");
            assert_eq!(
                is_hinted,
                told.contains("send one JSON object"),
                "{}: {message}",
                shown(&text)
            );
        }
    }
    assert_eq!(
        scene.session(&session, "ping", json!({})).await.status,
        200,
        "its session goes on"
    );
}

#[tokio::test]
async fn a_line_that_is_no_message_is_answered_and_the_conversation_goes_on() {
    let scene = Scene::of(mock(&["t"]), Settings::default());
    let mut peer = Peer::of(&scene);
    peer.open().await;
    // A line without anything on it is no attempt at a message.
    let lines = texts().into_iter().filter(|(text, ..)| !text.trim().is_empty());
    for (text, code, told) in lines {
        peer.write(&text).await;
        let answer = peer.read().await;
        assert_eq!(answer["error"]["code"], code, "{}: {answer}", shown(&text));
        assert!(
            answer["error"]["message"].as_str().unwrap().contains(told),
            "{}: {answer}",
            shown(&text)
        );
    }
    assert_eq!(peer.ask(7, "ping", json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn headers_that_mean_nothing_are_refused_or_passed_over_and_never_break_anything() {
    let scene = Scene::new();
    let session = scene.initialize().await;
    let ping = || crate::scene::request(1, "ping", json!({}));
    let long = "a".repeat(60_000);
    // What names no session is unknown; what names two is unclear.
    for (id, status) in [
        ("", 404),
        ("..%2f", 404),
        ("\"'", 404),
        (&*long, 404),
        (&*session.to_uppercase(), 404),
        ("\u{e4}", 400),
    ] {
        let got = scene.ask().with("mcp-session-id", id).post(ping()).await;
        let same = session.to_uppercase() == session;
        assert!(got.status == status || same, "{}: {got:?}", shown(id));
    }
    let twice = scene.ask().session(&session).with("mcp-session-id", &session);
    assert_eq!(twice.post(ping()).await.status, 400);
    // An id of no event is passed over.
    for last in [
        "",
        "-",
        "0",
        "-1",
        "0000000000000000-18446744073709551616",
        "0000000000000000--1",
        &*long,
        "*",
    ] {
        let events = scene
            .ask()
            .session(&session)
            .with("last-event-id", last)
            .events()
            .await;
        assert_eq!(
            events.headers["content-type"],
            "text/event-stream",
            "{}",
            shown(last)
        );
    }
    let unclear = scene.ask().session(&session).with("last-event-id", "\u{e4}");
    assert_eq!(unclear.send(Method::GET, "").await.status, 400);
    for (kind, status) in [
        ("", 415),
        ("text/plain", 415),
        ("application/jsonp", 415),
        ("application/json-patch+json", 415),
        ("application/json, text/plain", 415),
        ("multipart/form-data; boundary=application/json", 415),
        ("\u{e4}", 400),
        ("Application/JSON ; charset=utf-8", 200),
    ] {
        let ask = scene
            .ask()
            .session(&session)
            .without("content-type")
            .with("content-type", kind);
        let got = ask.send(Method::POST, ping()).await;
        assert_eq!(got.status, status, "{kind}: {got:?}");
        assert!(status == 200 || got.code() != 0, "{kind}: {got:?}");
    }
}
