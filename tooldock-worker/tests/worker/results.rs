//! Large results.

use serde_json::json;
use tooldock_engine::ErrorKind;

use crate::{
    process::soon,
    shop::{call, serve, text},
};

const LARGE: &str = "
from tooldock import tool

@tool
def text(size: int) -> str:
    return 'x' * size

@tool
def quoted(size: int) -> dict:
    return {'quotes': ['\"' * 8] * (size // 19)}
";

/// F20: a result of 8,000,000 bytes passes although it stands twice in its frame; a larger one is refused, and the worker
/// serves on.
#[tokio::test]
async fn f20_a_result_is_measured_once_and_a_larger_one_costs_its_call_alone() {
    let (_tools, engine) = serve(LARGE).await;
    let worker = engine.pid();
    let output = soon(call(&engine, "text", json!({"size": 8_000_000})))
        .await
        .unwrap();
    assert_eq!(text(&output).len(), 8_000_000);
    assert!(output.structured.unwrap().len() > 8_000_000);
    // Every quote of its structure is two characters, and three in its content.
    let output = soon(call(&engine, "quoted", json!({"size": 8_000_000})))
        .await
        .unwrap();
    assert!(output.structured.unwrap().len() + output.content.len() > 16 << 20);
    for tool in ["text", "quoted"] {
        let error = soon(call(&engine, tool, json!({"size": 50_000_000})))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ResultTooLarge, "{error}");
        assert!(
            error.message().contains("8388608 bytes (`max_result_bytes`)"),
            "{error}"
        );
    }
    assert_eq!(
        text(&soon(call(&engine, "text", json!({"size": 1}))).await.unwrap()),
        "x"
    );
    assert_eq!(engine.pid(), worker, "the same process serves on");
}
