//! What is refused, and in which words.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tooldock::layers::ArgumentRepair::Off;
use tooldock_engine::ErrorKind;

use crate::engine::judged;

/// The text and the details of the refusal.
async fn refused(schema: &Value, arguments: &str) -> (String, Value) {
    let error = judged(schema, Off, arguments).await.expect_err(arguments);
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    let details = error.details().unwrap().parse::<Value>().unwrap();
    assert!(error.message().len() <= 4096 && details.to_string().len() <= 4096);
    (error.message().to_owned(), details)
}

fn add() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
           "required": ["a", "b"], "additionalProperties": false})
}

#[tokio::test]
async fn arguments_that_fit_arrive_byte_for_byte() {
    for arguments in [
        r#"{"a":1.50, "b": 12345678901234567890123}"#,
        r#"{"\u0061":1,"b":-0.0e0}"#,
    ] {
        assert_eq!(judged(&add(), Off, arguments).await.unwrap(), arguments);
    }
}

#[tokio::test]
async fn a_refusal_names_tool_place_value_and_rule() {
    let (text, details) = refused(&add(), r#"{"a":"x","c":[1]}"#).await;
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].sort_unstable();
    assert_eq!(
        lines,
        [
            "the arguments of `t` do not fit its input schema:",
            "- `arguments.a` must be a number, and is `\"x\"`",
            "- `arguments.b` is required and missing",
            "- `arguments.c` is not known here; known are `a`, `b`",
        ]
    );
    let errors = details["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 3);
    assert!(errors.contains(&json!({"loc": ["a"], "msg": "must be a number", "type": "type"})));
    assert!(errors.contains(&json!({"loc": ["b"], "msg": "is required and missing", "type": "required"})));
}

#[tokio::test]
async fn places_are_paths() {
    let schema = json!({"properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/Item"}}},
                        "$defs": {"Item": {"type": "object", "properties": {"name": {"type": "string"}, "x y/~": {"type": "null"}}}}});
    let (text, details) = refused(&schema, r#"{"items":[{},{},{},{"name":5,"x y/~":0}]}"#).await;
    assert!(
        text.contains("`arguments.items[3].name` must be a string, and is `5`"),
        "{text}"
    );
    assert!(
        text.contains(r#"`arguments.items[3]["x y/~"]` must be null"#),
        "{text}"
    );
    assert_eq!(details["errors"][0]["loc"], json!(["items", 3, "name"]));
}

#[tokio::test]
async fn each_rule_has_its_words() {
    let rows = [
        (
            json!({"type": "array"}),
            "\"[1]\"",
            "must be an array, and is `\"[1]\"`",
        ),
        (
            json!({"type": ["integer", "null"]}),
            "1.5",
            "must be an integer or null",
        ),
        (
            json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
            "\"x\"",
            "must be an integer or null",
        ),
        (
            json!({"enum": ["red", "blue"]}),
            "\"green\"",
            r#"must be one of ["red","blue"]"#,
        ),
        (json!({"const": 5}), "6", "must be 5"),
        (json!({"minimum": 2}), "1", "must be at least 2"),
        (json!({"maximum": 2}), "3", "must be at most 2"),
        (json!({"exclusiveMinimum": 2}), "2", "must be more than 2"),
        (json!({"exclusiveMaximum": 2}), "2", "must be less than 2"),
        (json!({"multipleOf": 2}), "3", "must be a multiple of 2"),
        (
            json!({"minLength": 2}),
            "\"x\"",
            "must have at least 2 characters",
        ),
        (
            json!({"maxLength": 2}),
            "\"xxx\"",
            "must have at most 2 characters",
        ),
        (json!({"minItems": 2}), "[1]", "must have at least 2 items"),
        (json!({"maxItems": 2}), "[1,2,3]", "must have at most 2 items"),
        (json!({"minProperties": 1}), "{}", "must have at least 1 members"),
        (
            json!({"maxProperties": 0}),
            r#"{"a":1}"#,
            "must have at most 0 members",
        ),
        (
            json!({"uniqueItems": true}),
            "[1,1]",
            "must not hold an item twice",
        ),
        (
            json!({"pattern": "^a+$"}),
            "\"b\"",
            r#"must match the pattern "^a+$""#,
        ),
        (json!(false), "1", "must not be given"),
        (
            json!({"not": {"type": "string"}}),
            "\"b\"",
            "does not fit its schema (`#/properties/p`)",
        ),
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            "1",
            "must fit one of its forms, and fits several",
        ),
        (
            json!({"anyOf": [{"minimum": 5}, {"multipleOf": 2}]}),
            "3",
            "must fit one of its 2 forms, and fits none",
        ),
        (json!({"allOf": [{"minimum": 5}]}), "3", "must be at least 5"),
        (
            json!({"prefixItems": [{"type": "integer"}]}),
            "[\"x\"]",
            "`arguments.p[0]` must be an integer",
        ),
        (
            json!({"additionalProperties": {"type": "integer"}}),
            r#"{"k":"v"}"#,
            "`arguments.p.k` must be an integer",
        ),
    ];
    for (rule, value, expected) in rows {
        let schema = json!({"type": "object", "properties": {"p": rule}});
        let (text, _) = refused(&schema, &format!(r#"{{"p":{value}}}"#)).await;
        assert!(text.contains(expected), "{rule} {value}: {text}");
    }
}

#[tokio::test]
async fn a_union_is_followed_into_the_form_that_is_meant() {
    let form = |kind: &str, member: &str| json!({"type": "object", "properties": {"type": {"const": kind}, member: {"type": "integer"}}, "required": ["type", member]});
    let schema = json!({"properties": {
        "shape": {"oneOf": [form("circle", "radius"), form("square", "side")]},
        "maybe": {"anyOf": [{"$ref": "#/$defs/model"}, {"type": "null"}]},
    }, "$defs": {"model": form("m", "x")}});
    let (text, _) = refused(
        &schema,
        r#"{"shape":{"type":"square","side":"x"},"maybe":{"type":"m"}}"#,
    )
    .await;
    assert!(
        text.contains("`arguments.shape.side` must be an integer"),
        "{text}"
    );
    assert!(
        text.contains("`arguments.maybe.x` is required and missing"),
        "{text}"
    );
    assert!(!text.contains("radius"), "{text}");
}

#[tokio::test]
async fn s51_a_refusal_is_short_whatever_was_sent() {
    let schema = json!({"properties": {"p": {"type": "array", "items": {"type": "integer"}}}, "additionalProperties": false});
    let long = "ä".repeat(5000);
    let (text, details) = refused(&schema, &format!(r#"{{"p":["{long}"]}}"#)).await;
    assert!(text.contains(&format!("`\"{}…`", "ä".repeat(199))), "{text}");
    assert_eq!(details["errors"].as_array().unwrap().len(), 1);
    let many = vec![format!("\"{long}\""); 500].join(",");
    let (text, details) = refused(&schema, &format!(r#"{{"p":[{many}]}}"#)).await;
    assert!(
        details["errors"].as_array().unwrap().len() <= 10
            && text.ends_with("\n- and more; correct these first")
    );
    let (_, details) = refused(&schema, &format!(r#"{{"p":[{}]}}"#, vec!["true"; 20].join(","))).await;
    assert_eq!(details["errors"].as_array().unwrap().len(), 10);
    let names: Vec<String> = (0..50).map(|index| format!("\"{long}{index}\":1")).collect();
    let (text, _) = refused(&schema, &format!("{{{}}}", names.join(","))).await;
    assert!(text.contains("is not known here"));
}

#[tokio::test]
async fn s51_a_recursive_union_is_explained_in_time() {
    let form = |mark: u8| json!({"type": "object", "required": ["z"], "properties": {"a": {"$ref": "#/$defs/n"}, "z": {"enum": [mark, 0]}}});
    let schema =
        json!({"properties": {"r": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"anyOf": [form(1), form(2)]}}});
    let arguments = (0..60).fold(r#"{"z":3}"#.to_owned(), |inner, _| {
        format!(r#"{{"a":{inner},"z":0}}"#)
    });
    // Both forms are meant, or one: the walk stops at the first place or goes down to the last.
    for arguments in [arguments.clone(), arguments.replace(r#""z":0"#, r#""z":1"#)] {
        let begin = Instant::now();
        let (text, _) = refused(&schema, &format!(r#"{{"r":{arguments}}}"#)).await;
        assert!(text.contains("`arguments.r"), "{text}");
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    }
}

#[tokio::test]
async fn s51_a_costly_pattern_runs_in_linear_time() {
    let schema = json!({"properties": {"p": {"pattern": "^(a|a)*(a*)*b$"}}});
    let begin = Instant::now();
    refused(&schema, &format!(r#"{{"p":"{}"}}"#, "a".repeat(100_000))).await;
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}
