//! Which input schemas can be used.

use std::{fs, net::TcpListener, path::Path};

use serde_json::{Value, json};
use tooldock::layers::{
    ArgumentRepair::Off, SchemaProblem, ValidateLayer, check_output_schema, check_schema,
};
use tooldock_engine::{EngineExt as _, ErrorKind, StaticEngine, ToolOutput};

use crate::engine::{cx, judged, layered, raw, taking, tool};

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!({}), |inner, _| json!({"items": inner}))
}

#[test]
fn s50_limits_of_a_schema_are_checked() {
    let long = json!({"description": "x".repeat(256 << 10)});
    let wide = |count: usize| json!({"anyOf": vec![json!({}); count]});
    let problem = |schema: &Value| check_schema(&taking(schema)).unwrap_err();
    assert!(matches!(problem(&long), SchemaProblem::TooLarge(bytes) if bytes > 256 << 10));
    assert_eq!(problem(&nested(64)), SchemaProblem::TooDeep);
    assert_eq!(problem(&wide(10_000)), SchemaProblem::TooMany);
    assert_eq!(check_schema(&taking(&nested(63))), Ok(()));
    assert_eq!(check_schema(&taking(&wide(9_999))), Ok(()));
    let mut promising = taking(&json!({}));
    assert_eq!(check_output_schema(&promising), Ok(()));
    promising.output_schema = Some((&nested(64)).into());
    assert_eq!(check_output_schema(&promising), Err(SchemaProblem::TooDeep));
}

#[test]
fn s50_nothing_outside_a_schema_is_read() {
    // Both would answer with a schema that everything fits, if they were asked.
    let canary = Path::new(env!("CARGO_TARGET_TMPDIR")).join("canary.json");
    fs::write(&canary, "{}").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    for target in [
        format!("file://{}", canary.display()),
        format!("http://{}/schema.json", listener.local_addr().unwrap()),
        "#/$defs/none".to_owned(),
    ] {
        let problem = check_schema(&taking(&json!({"$ref": target}))).unwrap_err();
        assert!(
            matches!(problem, SchemaProblem::Unusable(_)),
            "{target}: {problem}"
        );
        assert!(problem.to_string().starts_with("cannot be used: "), "{problem}");
    }
    assert!(listener.accept().is_err(), "somebody asked for a schema");
}

#[tokio::test]
async fn s50_cycles_of_references_end() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}], "required": ["x"]}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a", "required": ["x"]}),
        json!({"anyOf": [{"$ref": "#"}], "required": ["x"]}),
    ] {
        let fits = judged(&schema, Off, r#"{"p":1}"#).await.is_ok();
        assert_eq!(fits, schema.get("required").is_none(), "{schema}");
    }
}

#[tokio::test]
async fn dialects_are_told_by_schema() {
    // In 2020-12 the array form of `items` is no schema; in draft-07 it is a tuple.
    let tuple = json!({"properties": {"p": {"items": [{"type": "integer"}]}}});
    assert!(check_schema(&taking(&tuple)).is_err());
    let mut old = tuple;
    old["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    assert!(judged(&old, Off, r#"{"p":[1]}"#).await.is_ok());
    assert!(judged(&old, Off, r#"{"p":["x"]}"#).await.is_err());
    let unknown = json!({"$schema": "https://example.com/dialect"});
    let problem = check_schema(&taking(&unknown)).unwrap_err();
    assert!(
        problem.to_string().contains("https://example.com/dialect"),
        "{problem}"
    );
}

#[tokio::test]
async fn a_pattern_that_cannot_be_compiled_is_left_out() {
    let schema = json!({
        "properties": {
            "pattern": {"type": "string", "pattern": "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$"},
            "plain": {"type": "string", "pattern": "^a$"},
            "const": {"const": {"pattern": "(?=x)"}},
        },
        "patternProperties": {"^(?=x)": {"type": "integer"}, "^y": {"type": "integer"}},
        "additionalProperties": false,
    });
    assert_eq!(check_schema(&taking(&schema)), Ok(()));
    for fits in [
        r#"{"pattern":"x"}"#,
        r#"{"plain":"a"}"#,
        r#"{"x1":"any"}"#,
        r#"{"const":{"pattern":"(?=x)"}}"#,
    ] {
        assert!(judged(&schema, Off, fits).await.is_ok(), "{fits}");
    }
    for not in [
        r#"{"pattern":1}"#,
        r#"{"plain":"b"}"#,
        r#"{"y1":"x"}"#,
        r#"{"const":{}}"#,
    ] {
        assert!(judged(&schema, Off, not).await.is_err(), "{not}");
    }
}

#[tokio::test]
async fn a_tool_whose_schema_is_unusable_says_so_and_its_siblings_work() {
    let handler = async |_, _| Ok(ToolOutput::text("ran"));
    let mut sibling = tool("sibling");
    sibling.input_schema = raw(r#"{"type":"object"}"#);
    let engine = StaticEngine::builder()
        .tool(taking(&json!({"type": "strin"})), handler)
        .tool(sibling, handler)
        .build()
        .unwrap();
    let engine = layered(&ValidateLayer::new(Off), engine);
    let error = engine.call_tool(cx(), "t", raw("{}")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Dependency);
    assert!(
        error.message().contains("`t`") && error.message().contains("reload"),
        "{error}"
    );
    assert!(engine.call_tool(cx(), "sibling", raw("{}")).await.is_ok());
}

#[tokio::test]
async fn formats_only_describe() {
    let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"p": {"type": "string", "format": "date"}}});
    assert!(judged(&schema, Off, r#"{"p":"tomorrow"}"#).await.is_ok());
}
