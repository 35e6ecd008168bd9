//! Ids are echoed byte for byte, and what is no id is refused.

use http::Method;
use serde_json::json;

use crate::scene::{MODERN, Scene, enveloped, mock};

fn body(id: &str) -> String {
    let params = enveloped(json!({}));
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list","params":{params}}}"#)
}

#[tokio::test]
async fn s47_ids_are_echoed_exactly() {
    let scene = Scene::new();
    let long = format!("\"{}\"", "x".repeat(256));
    let ids = [
        "0",
        "-1",
        "9007199254740993",
        "-9223372036854775808",
        "18446744073709551615",
        "\"\"",
        "\"a\\u0062\\n\"",
        "\"ä\"",
        &long,
    ];
    for id in ids {
        let ask = scene
            .ask()
            .with("mcp-protocol-version", MODERN)
            .with("mcp-method", "tools/list");
        let got = ask.post(body(id)).await;
        assert_eq!(got.status, 200, "{id}: {got:?}");
        assert!(
            got.text
                .starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result""#)),
            "{id}: {}",
            got.text
        );
    }
}

#[tokio::test]
async fn s47_what_is_no_id_is_refused() {
    let scene = Scene::new();
    let long = format!("\"{}\"", "x".repeat(257));
    let huge = format!("\"{}\"", "x".repeat(1 << 20));
    for id in [
        "null",
        "1.5",
        "1e3",
        "true",
        "{}",
        "[1]",
        "18446744073709551616",
        &long,
        &huge,
    ] {
        let ask = scene
            .ask()
            .with("mcp-protocol-version", MODERN)
            .with("mcp-method", "tools/list");
        let got = ask.post(body(id)).await;
        assert_eq!(
            (got.status, got.code()),
            (400, -32_600),
            "{}",
            &id[..id.len().min(30)]
        );
        assert!(got.json()["id"].is_null() && got.text.len() < 500);
    }
}

#[tokio::test]
async fn s47_an_id_is_not_reused_while_its_call_runs() {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), tooldock_mcp::Settings::default());
    let id = scene.initialize().await;
    let call = async || scene.session(&id, "tools/call", json!({"name": "t"})).await;
    let test = async {
        let running = engine.next().await;
        let got = call().await;
        assert_eq!((got.status, got.code()), (400, -32_600));
        let other = scene.initialize().await;
        let elsewhere = scene.session(&other, "tools/call", json!({"name": "t"}));
        let answers = async {
            let second = engine.next().await;
            second.answer(Ok(crate::lifetimes::said("elsewhere")));
        };
        assert_eq!(
            tokio::join!(elsewhere, answers).0.status,
            200,
            "ids belong to their session"
        );
        running.answer(Ok(crate::lifetimes::said("first")));
    };
    let (first, ()) = tokio::join!(call(), test);
    assert_eq!(first.json()["result"]["content"][0]["text"], "first");
    let again = async { engine.next().await.answer(Ok(crate::lifetimes::said("second"))) };
    let (second, ()) = tokio::join!(call(), again);
    assert_eq!(
        second.json()["result"]["content"][0]["text"],
        "second",
        "the id is free again"
    );
}

#[tokio::test]
async fn s46_repeated_and_differently_cased_names_are_refused() {
    let scene = Scene::new();
    let (repeated, cased) = ("repeats a member name", "must be \"2.0\"");
    for (body, reason) in [
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, repeated),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"x"}"#,
            repeated,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
            repeated,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"Method":"ping"}"#,
            "a message is a request",
        ),
        (r#"{"JsonRpc":"2.0","id":1,"method":"ping"}"#, cased),
    ] {
        let got = scene.ask().post(body).await;
        assert_eq!((got.status, got.code()), (400, -32_600), "{body}");
        let told = got.json()["error"]["message"].to_string();
        assert!(told.replace('\\', "").contains(reason), "{body}: {told}");
    }
}

#[tokio::test]
async fn s45_bombs_are_refused_before_a_tree_is_built() {
    let scene = Scene::new();
    let wide = format!("[{}1]", "1,".repeat(100_000));
    let deep = format!("{}1{}", r#"{"a":"#.repeat(65), "}".repeat(65));
    for (bomb, limit) in [(wide, "`100000` values"), (deep, "`64` levels")] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":{bomb}}}}}"#);
        let got = scene.ask().send(Method::POST, body).await;
        assert_eq!((got.status, got.code()), (400, -32_600));
        let told = got.json()["error"]["message"].to_string();
        assert!(told.contains(limit) && told.contains("MAX_JSON_"), "{told}");
    }
}

#[tokio::test]
async fn s48_batches_are_refused_where_the_revision_has_none() {
    let scene = Scene::new();
    let id = scene.initialize().await;
    for body in ["[]", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "[1]"] {
        for ask in [
            scene.ask().session(&id),
            scene.ask().with("mcp-protocol-version", "2025-03-26"),
            scene.ask(),
        ] {
            let got = ask.post(body).await;
            assert_eq!((got.status, got.code()), (400, -32_600), "{body}");
        }
    }
}
