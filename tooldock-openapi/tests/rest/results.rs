//! What a tool returned becomes plain JSON.

use http::header::CONTENT_TYPE;
use tooldock_engine::ToolOutput;

use crate::app::{always, app, echo, post, raw, tool};

const WRAPPED: &str = r#"{"type":"object","properties":{"result":{}},"x-fastmcp-wrap-result":true}"#;
const PLAIN: &str = r#"{"type":"object"}"#;

/// The body for an output with these parts.
async fn body(content: &str, structured: Option<&str>, schema: Option<&str>) -> String {
    let mut tool = tool("t");
    tool.output_schema = schema.map(raw);
    let output = ToolOutput {
        content: raw(content),
        structured: structured.map(raw),
        meta: None,
        failed: false,
    };
    let answer = post(&app(always(tool, output)), "/tools/t", "{}").await;
    assert_eq!(
        (answer.status.as_u16(), &answer.headers[CONTENT_TYPE]),
        (200, &"application/json".parse().unwrap())
    );
    answer.text().to_owned()
}

#[tokio::test]
async fn structured_results_are_unwrapped_where_the_schema_says_so() {
    let text = r#"[{"type":"text","text":"never read"}]"#;
    let rows = [
        (r#"{"result":"Hello, Ada!"}"#, Some(WRAPPED), r#""Hello, Ada!""#),
        (r#"{"result":3.5}"#, Some(WRAPPED), "3.5"),
        (r#"{"result":null}"#, Some(WRAPPED), "null"),
        (r#"{"result" : [1, 2] }"#, Some(WRAPPED), "[1, 2]"),
        (
            r#"{"result":12345678901234567890123.10}"#,
            Some(WRAPPED),
            "12345678901234567890123.10",
        ),
        (r#"{"other":1}"#, Some(WRAPPED), r#"{"other":1}"#),
        (r#"{"result":1}"#, Some(PLAIN), r#"{"result":1}"#),
        (r#"{"result":1}"#, None, r#"{"result":1}"#),
        (r#"{"z":1, "a":1.50}"#, Some(PLAIN), r#"{"z":1, "a":1.50}"#),
    ];
    for (structured, schema, expected) in rows {
        assert_eq!(
            body(text, Some(structured), schema).await,
            expected,
            "{structured} {schema:?}"
        );
    }
}

#[tokio::test]
async fn content_blocks_become_their_items() {
    let rows = [
        ("[]", "null"),
        (r#"[{"type":"text","text":"hi \"you\""}]"#, r#""hi \"you\"""#),
        (r#"[{"type":"text","text":"{\"n\": 1.50}"}]"#, r#"{"n": 1.50}"#),
        (r#"[{"type":"text","text":" [1,2]"}]"#, " [1,2]"),
        (r#"[{"type":"text","text":"{not json}"}]"#, r#""{not json}""#),
        (
            r#"[{"type":"text","text":"{\"a\":1,\"a\":2}"}]"#,
            r#""{\"a\":1,\"a\":2}""#,
        ),
        (r#"[{"type":"text","text":"3.5"}]"#, r#""3.5""#),
        (
            r#"[{"type":"text","text":"a"},{"type":"text","text":"[1]"}]"#,
            r#"["a",[1]]"#,
        ),
        (
            r#"[{"type":"image","data":"AAAA","mimeType":"image/png"}]"#,
            r#""data:image/png;base64,AAAA""#,
        ),
        (
            r#"[{"type":"audio","data":"BBBB","mimeType":"audio/wav"}]"#,
            r#""data:audio/wav;base64,BBBB""#,
        ),
        (
            r#"[{"type":"resource","resource":{"uri":"a:b","text":"hi"}}]"#,
            r#""hi""#,
        ),
        (
            r#"[{"type":"resource","resource":{"uri":"a:b","blob":"AA"}}]"#,
            r#"{"uri":"a:b","blob":"AA"}"#,
        ),
        (
            r#"[{"type":"resource_link","uri":"a:b","name":"x"}]"#,
            r#"{"type":"resource_link","uri":"a:b","name":"x"}"#,
        ),
    ];
    for (content, expected) in rows {
        assert_eq!(body(content, None, None).await, expected, "{content}");
    }
}

#[tokio::test]
async fn a_tool_that_fails_answers_500_with_its_own_text_and_result() {
    let mut output = ToolOutput::failure("no such city");
    output.structured = Some(raw(r#"{"result":1}"#));
    let answer = post(&app(always(tool("t"), output)), "/tools/t", "{}").await;
    assert_eq!(answer.status, 500);
    assert_eq!(
        answer.text(),
        r#"{"error":{"code":"tool_error","message":"no such city","details":{"result":1}},"request_id":"r-1"}"#
    );
    let mut twice = ToolOutput::failure(r#"{"written":false}"#);
    twice.structured = Some(raw(r#"{"written":false}"#));
    let answer = post(&app(always(tool("t"), twice)), "/tools/t", "{}").await;
    assert_eq!(
        answer.text(),
        r#"{"error":{"code":"tool_error","message":"the tool failed; `details` is its result","details":{"written":false}},"request_id":"r-1"}"#
    );
    let mut silent = ToolOutput::failure("");
    silent.content = raw("[]");
    let answer = post(&app(always(tool("t"), silent)), "/tools/t", "{}").await;
    assert!(answer.message().contains("log"), "{answer:?}");
}

#[tokio::test]
async fn arguments_reach_the_tool_byte_for_byte() {
    let app = app(echo());
    for body in [
        r#"{"n": 12345678901234567890123, "z":1.0, "a":"\u00e4"}"#,
        r#" {"x":[ ]} "#,
    ] {
        assert_eq!(post(&app, "/tools/echo", body).await.text(), body);
    }
}
