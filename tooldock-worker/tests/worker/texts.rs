//! Texts of every kind and length, whatever the locale.

use serde_json::json;
use tooldock_engine::RawJson;
use tooldock_worker::{NamespaceOptions, WorkerHost};

use crate::{
    process::soon,
    shop::{call, data, environment, serve, serve_by, settings, text, until},
};

const ECHO: &str = "
from tooldock import tool

@tool
def echo(said: str) -> str:
    print(said)
    return said

@tool
def long(bytes: int) -> str:
    return 'x' * bytes

@tool
def count(said: str) -> int:
    return len(said)
";

/// F20: under a locale that knows ASCII alone every text comes back as it was sent, and what is printed can be read.
#[tokio::test]
async fn f20_all_text_is_unicode_whatever_the_locale() {
    let mut settings = settings(data());
    let plain = [("LANG", "C"), ("LC_ALL", "C"), ("LC_CTYPE", "POSIX")];
    let plain = plain.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let own = environment();
    let own = own
        .for_worker()
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    settings.environment = own.chain(plain).collect();
    let host = WorkerHost::new(settings);
    let (_tools, engine) = serve_by(&host, ECHO, &NamespaceOptions::default()).await;
    let said = "漢字 😀 e\u{301} \u{1F468}\u{200D}\u{1F469} ß";
    let output = call(&engine, "echo", json!({"said": said})).await.unwrap();
    assert_eq!(text(&output), said);
    soon(until(|| {
        engine
            .log_tail(10)
            .iter()
            .any(|line| line.text.contains("漢字 😀"))
    }))
    .await;
}

/// F21: lines far above 64 KiB pass in both directions, and the channel goes on after them.
#[tokio::test]
async fn f21_long_lines_pass_in_both_directions() {
    let (_tools, engine) = serve(ECHO).await;
    for bytes in [70_000, 1 << 20, (8 << 20) - 2] {
        let output = soon(call(&engine, "long", json!({"bytes": bytes})))
            .await
            .unwrap();
        assert_eq!(text(&output).len(), bytes);
    }
    let said = RawJson::from(json!({"said": "y".repeat(1 << 20)}));
    let output = tooldock_engine::EngineExt::call_tool(&engine, crate::shop::cx(), "count", said);
    assert_eq!(text(&soon(output).await.unwrap()), (1 << 20).to_string());
}
