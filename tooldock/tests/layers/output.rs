//! What a tool with an output schema may answer.

use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use serde_json::{Value, json};
use tooldock::layers::OutputCheckLayer;
use tooldock_engine::{
    EngineError, EngineExt as _, EngineReply, EngineRequest, ErrorKind, RawJson, StaticEngine, ToolOutput,
    output::InputRequired, request::ReadResource,
};

use crate::engine::{cx, echo, layered, mock, promising, raw, taking, tool};

async fn checked(schema: &Value, output: ToolOutput) -> Result<ToolOutput, EngineError> {
    let engine = layered(&OutputCheckLayer::new(), promising(schema, output));
    engine.call_tool(cx(), "t", RawJson::empty_object()).await
}

fn point() -> Value {
    json!({"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}, "required": ["x", "y"]})
}

/// The text and the details of the refusal of `result`.
async fn refused(schema: &Value, result: &str) -> (String, Value) {
    let error = checked(schema, ToolOutput::structured(&raw(result)))
        .await
        .expect_err(result);
    assert_eq!(error.kind(), ErrorKind::InvalidOutput, "{error}");
    let details = error.details().unwrap().parse::<Value>().unwrap();
    assert!(error.message().len() <= 4096 && details.to_string().len() <= 4096);
    (error.message().to_owned(), details)
}

#[tokio::test]
async fn f16_a_result_that_fits_arrives_byte_for_byte() {
    let wrapped = json!({"type": "object", "properties": {"result": {"type": "array"}}, "required": ["result"], "x-fastmcp-wrap-result": true});
    for (schema, result) in [
        (point(), r#"{"y": 12345678901234567890123,"\u0078":1.0}"#),
        (wrapped, r#"{"result": [1]}"#),
        (json!({"type": "array"}), "[ ]"),
        (json!({"type": "null"}), "null"),
        (json!({}), "5"),
    ] {
        let output = ToolOutput::structured(&raw(result));
        assert_eq!(
            checked(&schema, output.clone()).await.unwrap(),
            output,
            "{schema}"
        );
    }
}

#[tokio::test]
async fn f16_a_result_that_does_not_fit_is_an_error_that_names_tool_place_and_rule() {
    let (text, details) = refused(&point(), r#"{"x":"1"}"#).await;
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].sort_unstable();
    assert_eq!(
        lines,
        [
            "the result of `t` does not fit its output schema; correct the tool or the schema:",
            "- `result.x` must be an integer, and is `\"1\"`",
            "- `result.y` is required and missing",
        ]
    );
    let errors = details["errors"].as_array().unwrap();
    assert!(errors.contains(&json!({"loc": ["x"], "msg": "must be an integer", "type": "type"})));
    refused(&point(), "null").await;
}

#[tokio::test]
async fn f16_a_success_without_structured_content_is_an_error() {
    // Also where the schema takes any value.
    let error = checked(&json!({}), ToolOutput::text("{}")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidOutput);
    assert!(
        error.message().contains("`t`") && error.message().contains("output schema"),
        "{error}"
    );
}

#[tokio::test]
async fn f16_a_failure_is_passed_on_untouched() {
    let plain = ToolOutput::failure("the point is gone");
    let structured = ToolOutput {
        structured: Some(raw(r#"{"x":"no"}"#)),
        ..plain.clone()
    };
    for failure in [plain, structured] {
        assert_eq!(checked(&point(), failure.clone()).await.unwrap(), failure);
    }
}

#[tokio::test]
async fn what_promises_nothing_is_not_judged() {
    let engine = layered(&OutputCheckLayer::new(), echo(tool("t")));
    assert!(engine.call_tool(cx(), "t", raw(r#"{"x":"any"}"#)).await.is_ok());

    let inner = mock();
    let engine = layered(&OutputCheckLayer::new(), inner.clone());
    let request = EngineRequest::ReadResource(ReadResource {
        uri: "a:b".into(),
        answers: None,
    });
    let asks = EngineReply::InputRequired(InputRequired {
        requests: RawJson::empty_object(),
        state: None,
    });
    for request in [request, EngineRequest::call_tool("a".parse().unwrap(), raw("{}"))] {
        let answer = async { inner.next().await.answer(Ok(asks.clone())) };
        let (reply, ()) = tokio::join!(engine.serve(cx(), request), answer);
        assert!(matches!(reply, Ok(EngineReply::InputRequired(_))));
    }
}

#[tokio::test]
async fn a_large_result_is_judged_away_from_the_serving_thread() {
    let schema = json!({"type": "array", "items": {"type": "integer"}});
    let numbers = |last: &str| raw(&format!("[{}{last}]", "1,".repeat(600 << 10)));
    let call = async |result: &RawJson| checked(&schema, ToolOutput::structured(result)).await;
    assert!(
        call(&raw("[1]")).now_or_never().is_some(),
        "a small one is judged at once"
    );
    assert!(
        call(&numbers("1")).now_or_never().is_none(),
        "a large one is waited for"
    );
    assert!(call(&numbers("1")).await.is_ok());
    let error = call(&numbers("null")).await.unwrap_err();
    assert!(
        error.message().contains("`result[614400]` must be an integer"),
        "{error}"
    );
}

#[tokio::test]
async fn s51_a_wrong_result_is_explained_in_time_and_shortly() {
    let form = |mark: u8| json!({"type": "object", "required": ["z"], "properties": {"a": {"$ref": "#/$defs/n"}, "z": {"enum": [mark, 0]}}});
    let schema = json!({"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [form(1), form(2)]}}});
    let result = (0..60).fold(r#"{"z":3}"#.to_owned(), |inner, _| {
        format!(r#"{{"a":{inner},"z":1}}"#)
    });
    let begin = Instant::now();
    let (text, _) = refused(&schema, &result).await;
    assert!(text.contains("`result.a.a"), "{text}");
    let list = json!({"type": "array", "items": {"type": "string"}});
    let (text, details) = refused(&list, &format!("[{}]", vec!["1"; 200].join(","))).await;
    assert_eq!(details["errors"].as_array().unwrap().len(), 10);
    assert!(text.ends_with("correct these first"), "{text}");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn a_tool_with_an_unusable_output_schema_is_not_run() {
    let mut broken = taking(&json!({}));
    broken.output_schema = Some(raw(r#"{"$ref":"https://example.com/schema.json"}"#));
    let run = async |_cx, _arguments| -> Result<ToolOutput, EngineError> { panic!("it ran") };
    let engine = StaticEngine::builder().tool(broken, run).build().unwrap();
    let engine = layered(&OutputCheckLayer::new(), engine);
    let error = engine.call_tool(cx(), "t", raw("{}")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Dependency);
    for part in ["`t`", "output schema", "reload"] {
        assert!(error.message().contains(part), "{error}");
    }
}
