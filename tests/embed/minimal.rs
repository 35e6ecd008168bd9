//! `embed-minimal`: one Rust closure and one folder of Python behind one application.

use std::path::Path;

use crate::call::{call, text};

/// Python environments are built once and kept.
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/xtask/embed");

#[tokio::test]
async fn rust_and_python_answer_below_one_prefix() {
    let app = example_embed_minimal::app(Path::new(DATA)).await.unwrap();
    let echoed = call(&app, "/tooldock/demo/tools/echo", r#"{"n": 1.50}"#).await;
    assert_eq!((echoed.status, echoed.body.as_str()), (200, r#"{"n": 1.50}"#));
    let greeted = call(&app, "/tooldock/greetings/tools/greet", r#"{"name": "Ann"}"#).await;
    assert_eq!((greeted.status, greeted.body), (200, text("Hello, Ann!")));
}
