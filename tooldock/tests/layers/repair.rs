//! The one repair that arguments may get.

use serde_json::json;
use tooldock::layers::{
    ArgumentRepair::{Off, On},
    ValidateLayer,
};
use tooldock_engine::{EngineExt as _, ErrorKind, StaticEngine, ToolOutput};

use crate::engine::{cx, echo, judged, layered, raw, taking};

fn schema() -> serde_json::Value {
    json!({"type": "object", "properties": {
        "text": {"type": "string"},
        "count": {"type": "integer", "minimum": 2, "default": 3},
        "ratio": {"type": "number"},
        "flag": {"type": "boolean"},
        "list": {"type": "array", "items": {"type": "integer"}},
        "object": {"type": "object", "additionalProperties": {"type": "integer"}},
        "maybe": {"anyOf": [{"type": "array", "items": {}}, {"type": "null"}]},
        "model": {"$ref": "#/$defs/Model"},
        "need": {"type": "integer"},
    }, "required": ["need"], "additionalProperties": false,
    "$defs": {"Model": {"type": "object", "properties": {"n": {"type": "integer"}, "l": {"type": "array"}}}}})
}

#[tokio::test]
async fn each_kind_of_repair_changes_only_its_value() {
    let rows = [
        // A null for an optional parameter that allows none.
        (r#"{"count":null, "need": 1}"#, r#"{"need":1}"#),
        (r#"{"need":1,"count":null,"flag":null}"#, r#"{"need":1}"#),
        // Text that is the array or object wanted.
        (r#"{"need":1,"list":"[1, 2]"}"#, r#"{"need":1,"list":[1, 2]}"#),
        (
            r#"{"need":1,"object":" {\"k\":1} "}"#,
            r#"{"need":1,"object":{"k":1}}"#,
        ),
        (r#"{"need":1,"maybe":"[1.50]"}"#, r#"{"need":1,"maybe":[1.50]}"#),
        (
            r#"{"need":1,"model":"{\"n\":1}"}"#,
            r#"{"need":1,"model":{"n":1}}"#,
        ),
        // Numerals and truth values given as text.
        (
            r#"{"need":"12345678901234567890123"}"#,
            r#"{"need":12345678901234567890123}"#,
        ),
        (r#"{"need":1,"ratio":"-1.50e2"}"#, r#"{"need":1,"ratio":-1.50e2}"#),
        (r#"{"need":1,"flag":"true"}"#, r#"{"need":1,"flag":true}"#),
        (r#"{"need":1,"flag":"False"}"#, r#"{"need":1,"flag":false}"#),
        // Deep inside, several at once, and what stands beside stays as it is.
        (
            r#"{"need":1,"model":{ "n" : "7", "l":"[]" , "z":1.0}}"#,
            r#"{"need":1,"model":{ "n" : 7, "l":[] , "z":1.0}}"#,
        ),
        (
            r#"{"list":[1.0, "2", 3],"need":1}"#,
            r#"{"list":[1.0, 2, 3],"need":1}"#,
        ),
        (r#"{"text":"\u00e4","need":"5"}"#, r#"{"text":"\u00e4","need":5}"#),
    ];
    for (arguments, expected) in rows {
        assert_eq!(
            judged(&schema(), On, arguments).await.unwrap(),
            expected,
            "{arguments}"
        );
        let error = judged(&schema(), Off, arguments)
            .await
            .expect_err("the repair is off");
        assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    }
}

#[tokio::test]
async fn nothing_else_is_repaired() {
    let rows = [
        (
            r#"{"need":null}"#,
            "`arguments.need` must be an integer, and is `null`",
        ),
        (r#"{"need":1,"unknown":null}"#, "`arguments.unknown` is not known"),
        (
            r#"{"need":1,"model":{"n":null}}"#,
            "`arguments.model.n` must be an integer",
        ),
        (
            r#"{"need":1,"object":{"k":null}}"#,
            "`arguments.object.k` must be an integer",
        ),
        (r#"{"need":1,"list":"{}"}"#, "`arguments.list` must be an array"),
        (
            r#"{"need":1,"object":"[]"}"#,
            "`arguments.object` must be an object",
        ),
        (r#"{"need":1,"list":"[1"}"#, "`arguments.list` must be an array"),
        (r#"{"need":1,"list":"a,b"}"#, "`arguments.list` must be an array"),
        (
            r#"{"need":1,"list":"\"[1]\""}"#,
            "`arguments.list` must be an array",
        ),
        (
            r#"{"need":1,"object":"{\"a\":1,\"a\":2}"}"#,
            "`arguments.object` must be an object",
        ),
        (r#"{"need":"1.5"}"#, "`arguments.need` must be an integer"),
        (r#"{"need":"1 2"}"#, "`arguments.need` must be an integer"),
        (r#"{"need":"0x10"}"#, "`arguments.need` must be an integer"),
        (r#"{"need":"1e999"}"#, "`arguments.need` must be an integer"),
        (r#"{"need":""}"#, "`arguments.need` must be an integer"),
        (r#"{"need":1,"flag":"yes"}"#, "`arguments.flag` must be a boolean"),
        (r#"{"need":1,"flag":1}"#, "`arguments.flag` must be a boolean"),
        (r#"{"need":true}"#, "`arguments.need` must be an integer"),
        (r#"{"need":1,"text":5}"#, "`arguments.text` must be a string"),
        // Repaired, these would still not fit.
        (
            r#"{"need":1,"count":"1"}"#,
            "`arguments.count` must be an integer",
        ),
        (
            r#"{"need":1,"list":"[\"x\"]"}"#,
            "`arguments.list` must be an array",
        ),
        // A part of it cannot be repaired.
        (r#"{"need":"5","text":5}"#, "`arguments.need` must be an integer"),
    ];
    for (arguments, expected) in rows {
        let error = judged(&schema(), On, arguments).await.expect_err(arguments);
        assert!(
            error.message().contains(expected),
            "{arguments}: {}",
            error.message()
        );
    }
}

#[tokio::test]
async fn text_is_left_alone_where_text_is_allowed() {
    let schema = json!({"properties": {"p": {"anyOf": [{"type": "array"}, {"type": "string"}]}, "any": {}}});
    let arguments = r#"{"p":"[1]", "any":"true"}"#;
    assert_eq!(judged(&schema, On, arguments).await.unwrap(), arguments);
}

#[tokio::test]
async fn a_repair_changes_a_bounded_number_of_values() {
    let list = |count: usize| format!(r#"{{"need":1,"list":[{}]}}"#, vec!["\"1\""; count].join(","));
    assert!(judged(&schema(), On, &list(100)).await.is_ok());
    assert!(judged(&schema(), On, &list(101)).await.is_err());
}

#[tokio::test]
async fn a_repair_is_marked_for_inner_and_outer_layers() {
    let handler = async |cx: tooldock_engine::CallContext, _| {
        Ok(ToolOutput::text(&cx.facts().is_repaired().to_string()))
    };
    let inner = StaticEngine::builder()
        .tool(taking(&schema()), handler)
        .build()
        .unwrap();
    let engine = layered(&ValidateLayer::new(On), inner);
    for (arguments, expected) in [(r#"{"need":1}"#, false), (r#"{"need":"1"}"#, true)] {
        let cx = cx();
        let output = engine.call_tool(cx.clone(), "t", raw(arguments)).await.unwrap();
        assert_eq!(output, ToolOutput::text(&expected.to_string()), "{arguments}");
        assert_eq!(cx.facts().is_repaired(), expected, "{arguments}");
    }
}

#[tokio::test]
async fn large_arguments_are_judged_and_repaired_too() {
    let engine = layered(&ValidateLayer::new(On), echo(taking(&schema())));
    let text = "x".repeat(100_000);
    let output = engine
        .call_tool(cx(), "t", raw(&format!(r#"{{"text":"{text}","need":"1"}}"#)))
        .await
        .unwrap();
    assert_eq!(
        output.structured.unwrap().as_str(),
        format!(r#"{{"text":"{text}","need":1}}"#)
    );
    assert!(
        engine
            .call_tool(cx(), "t", raw(&format!(r#"{{"text":"{text}"}}"#)))
            .await
            .is_err()
    );
}
