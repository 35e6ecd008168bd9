//! The OpenAPI document.

use std::collections::BTreeSet;

use axum::body::Body;
use http::{Request, header::IF_NONE_MATCH};
use serde_json::{Value, json};
use tooldock_engine::{Catalog, ErrorKind, Tool, catalog::About, name::RESERVED_TOOLS, testing::EngineMock};

use crate::app::{app, catalog, get, post, raw, send, tool};

async fn document_of(catalog: Catalog) -> Value {
    let answer = get(&app(EngineMock::new(catalog)), "/openapi.json").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

async fn document(tools: impl IntoIterator<Item = Tool>) -> Value {
    document_of(catalog(tools)).await
}

fn with_input(name: &str, schema: &str) -> Tool {
    let mut tool = tool(name);
    tool.input_schema = raw(schema);
    tool
}

/// The schema of the body of a tool, found as Open WebUI finds it.
fn body<'a>(document: &'a Value, tool: &str) -> &'a Value {
    let media = &document["paths"][format!("/{tool}")]["post"]["requestBody"]["content"]["application/json"];
    let reference = media["schema"]["$ref"].as_str().unwrap();
    document.pointer(&reference[1..]).unwrap()
}

/// Every reference in a value.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value.as_str() {
                    Some(target) if name == "$ref" => found.push(target.to_owned()),
                    _ => references(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[tokio::test]
async fn f10_every_reference_of_every_tool_resolves() {
    let nested = r##"{"type":"object","properties":{
        "tree":{"$ref":"#/$defs/Node"},
        "either":{"discriminator":{"propertyName":"kind","mapping":{"a":"#/$defs/A~1B"}},"oneOf":[{"$ref":"#/$defs/A~1B"}]},
        "self":{"$ref":"#"}, "same":{"$ref":"#/properties/tree"}, "deep":{"$ref":"#/$defs/Node/properties/next"},
        "old":{"$ref":"#/definitions/Old"}, "default":{"$ref":"#/$defs/Node"}},
        "$defs":{"Node":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}}},
                 "A/B":{"enum":["x"]}},
        "definitions":{"Old":{"const":{"$ref":"#/$defs/not-a-reference"}}},
        "default":{"$ref":"data"}}"##;
    let mut first = with_input("first", nested);
    first.output_schema = Some(raw(
        r##"{"x-fastmcp-wrap-result":true,"type":"object","properties":{"result":{"type":"array","items":{"$ref":"#/$defs/Node"}}},
            "required":["result"],"$defs":{"Node":{"type":"object","properties":{"up":{"$ref":"#/properties/result"}}}}}"##,
    ));
    let document = document([first, with_input("second", nested)]).await;
    let mut found = Vec::new();
    for place in ["paths", "components"] {
        references(&document[place], &mut found);
    }
    let data = ["data", "#/$defs/not-a-reference"];
    for reference in found
        .iter()
        .filter(|reference| !data.contains(&reference.as_str()))
    {
        assert!(reference.starts_with("#/components/"), "{reference}");
        assert!(
            document.pointer(&reference[1..]).is_some(),
            "{reference} leads nowhere"
        );
    }
    assert_eq!(
        found
            .iter()
            .filter(|reference| data.contains(&reference.as_str()))
            .count(),
        4,
        "data stays"
    );
    assert!(!document.to_string().contains(r#""$defs":"#) && found.len() > 20);
    let mapping =
        &document["components"]["schemas"]["first.input"]["properties"]["either"]["discriminator"]["mapping"];
    assert_eq!(mapping["a"], "#/components/schemas/first.input.A_1B");
    let up = &document["components"]["schemas"]["first.output.Node"]["properties"]["up"];
    assert_eq!(up["$ref"], "#/components/schemas/first.output");
}

#[tokio::test]
async fn f10_a_body_has_no_circle_and_only_objects_as_schemas() {
    let schema = r##"{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"},"whole":{"$ref":"#"},"open":true,"none":false,
        "list":{"items":true}},"$defs":{
        "Node":{"type":"object","title":"Node","properties":{"next":{"$ref":"#/$defs/Edge","description":"own"},"leaf":{"$ref":"#/$defs/Leaf"}}},
        "Edge":{"properties":{"to":{"type":"array","items":{"$ref":"#/$defs/Node"}},"leaf":{"$ref":"#/$defs/Leaf"}}},
        "Leaf":{"enum":["x"]}}}"##;
    let mut tool = with_input("t", schema);
    tool.output_schema = Some(raw(schema));
    let document = document([tool]).await;
    let schemas = &document["components"]["schemas"];
    assert_eq!(
        schemas["t.input"]["properties"],
        json!({"root": {"$ref": "#/components/schemas/t.input.Node"}, "whole": {"type": "object"}, "open": {}, "none": {"not": {}},
            "list": {"items": {}}})
    );
    assert_eq!(
        schemas["t.input.Edge"]["properties"],
        json!({"to": {"type": "array", "items": {"type": "object", "title": "Node"}},
            "leaf": {"$ref": "#/components/schemas/t.input.Leaf"}})
    );
    let next = &schemas["t.input.Node"]["properties"]["next"];
    assert_eq!(
        next,
        &json!({"$ref": "#/components/schemas/t.input.Edge", "description": "own"})
    );
    let back = &schemas["t.output.Edge"]["properties"]["to"]["items"]["$ref"];
    assert_eq!(
        back, "#/components/schemas/t.output.Node",
        "results keep their circles"
    );
}

#[tokio::test]
async fn f11_an_optional_argument_is_a_union_with_null_and_not_required() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string"},
        "b":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}},"required":["a"]}"#;
    let document = document([with_input("f", schema)]).await;
    assert_eq!(document["openapi"], "3.1.0");
    let body = body(&document, "f");
    assert_eq!(
        body["properties"]["b"],
        json!({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null})
    );
    assert_eq!(body["required"], json!(["a"]));
    assert!(!document.to_string().contains("nullable"));
}

#[tokio::test]
async fn f12_a_tool_without_arguments_says_so_and_is_called_three_ways() {
    for schema in [
        r#"{"type":"object"}"#,
        "{}",
        r#"{"type":"object","properties":{}}"#,
    ] {
        let document = document([with_input("ping", schema)]).await;
        assert_eq!(
            body(&document, "ping"),
            &json!({"type": "object", "properties": {}}),
            "{schema}"
        );
        assert_eq!(
            document["paths"]["/ping"]["post"]["requestBody"]["required"],
            false
        );
    }
    let app = app(crate::app::echo());
    for sent in ["", "{}", "null"] {
        let answer = post(&app, "/tools/echo", sent).await;
        assert_eq!((answer.status.as_u16(), answer.text()), (200, "{}"), "`{sent}`");
    }
}

#[tokio::test]
async fn f13_each_tool_is_one_operation_called_as_the_tool() {
    let names = ["add", "say_hello", "z.last-1"];
    let document = document(names.map(tool)).await;
    let paths = document["paths"].as_object().unwrap();
    let mut ids = Vec::new();
    for item in paths.values() {
        let methods: Vec<_> = item.as_object().unwrap().keys().collect();
        assert_eq!(methods, ["post"]);
        ids.push(item["post"]["operationId"].as_str().unwrap());
        assert!(item["post"].get("parameters").is_none());
    }
    ids.sort_unstable();
    assert_eq!(ids, names);
    assert_eq!(
        document["components"]["securitySchemes"]["bearer"],
        json!({"type": "http", "scheme": "bearer"})
    );
    assert_eq!(document["security"], json!([{"bearer": []}]));
}

#[tokio::test]
async fn only_a_tool_whose_short_path_is_taken_stands_below_tools() {
    let taken: Vec<Tool> = RESERVED_TOOLS.iter().map(|name| tool(name)).collect();
    let document = document(taken.into_iter().chain([tool("add")])).await;
    for name in RESERVED_TOOLS {
        assert_eq!(
            document["paths"][format!("/tools/{name}")]["post"]["operationId"],
            *name
        );
    }
    assert_eq!(document["paths"]["/add"]["post"]["operationId"], "add");
    assert_eq!(
        document["paths"].as_object().unwrap().len(),
        RESERVED_TOOLS.len() + 1
    );
}

#[tokio::test]
async fn no_union_stands_at_the_root_of_a_body() {
    let rows = [
        (
            "any",
            r#"{"type":"object","anyOf":[{"properties":{"a":{"type":"string"},"k":{"const":1}},"required":["k","a"]},
                {"properties":{"b":{"type":"integer"},"k":{"const":2}},"required":["b","k"]}]}"#,
            json!({"type": "object", "required": ["k"], "properties": {
                "a": {"type": "string"}, "k": {"anyOf": [{"const": 1}, {"const": 2}]}, "b": {"type": "integer"}}}),
        ),
        (
            "all",
            r#"{"properties":{"a":{}},"required":["a"],"allOf":[{"description":"d","properties":{"b":{}},"required":["b"]}]}"#,
            json!({"type": "object", "description": "d", "required": ["a", "b"], "properties": {"a": {}, "b": {}}}),
        ),
        (
            "reference",
            r##"{"$ref":"#/$defs/M","$defs":{"M":{"type":"object","oneOf":[{"$ref":"#/$defs/N"}]},"N":{"properties":{"n":{}},"required":["n"]}}}"##,
            json!({"type": "object", "required": ["n"], "properties": {"n": {}}}),
        ),
        (
            "endless",
            r##"{"$ref":"#/$defs/M","$defs":{"M":{"$ref":"#/$defs/M"}}}"##,
            json!({"type": "object", "properties": {}}),
        ),
    ];
    for (name, schema, expected) in rows {
        let document = document([with_input(name, schema)]).await;
        assert_eq!(body(&document, name), &expected, "{name}");
    }
}

#[tokio::test]
async fn a_result_has_the_schema_of_the_value_that_is_answered() {
    let mut wrapped = tool("wrapped");
    wrapped.output_schema = Some(raw(
        r#"{"type":"object","properties":{"result":{"type":"integer"}},"required":["result"],"x-fastmcp-wrap-result":true}"#,
    ));
    let mut plain = tool("plain");
    plain.output_schema = Some(raw(
        r#"{"type":"object","properties":{"result":{"type":"integer"}}}"#,
    ));
    let document = document([wrapped, plain, tool("silent")]).await;
    let schema = |tool: &str| {
        let answer = &document["paths"][format!("/{tool}")]["post"]["responses"]["200"];
        let schema = &answer["content"]["application/json"]["schema"];
        let reference = schema["$ref"]
            .as_str()
            .map(|target| document.pointer(&target[1..]).unwrap());
        reference.unwrap_or(schema).clone()
    };
    assert_eq!(schema("wrapped"), json!({"type": "integer"}));
    assert_eq!(schema("plain")["properties"]["result"]["type"], "integer");
    assert_eq!(schema("silent"), json!({}));
}

#[tokio::test]
async fn every_status_that_a_caller_can_see_is_documented() {
    let document = document([tool("t")]).await;
    let responses = document["paths"]["/t"]["post"]["responses"].as_object().unwrap();
    let documented: BTreeSet<&str> = responses.keys().map(String::as_str).collect();
    let expected = [
        "200", "400", "401", "403", "404", "408", "413", "415", "422", "429", "500", "503", "504",
    ];
    assert_eq!(documented, BTreeSet::from(expected));
    for kind in ErrorKind::ALL
        .iter()
        .filter(|kind| **kind != ErrorKind::Cancelled)
    {
        let status = kind.row().rest_status.to_string();
        let target = responses[&status]["$ref"].as_str().unwrap();
        let answer = document.pointer(&target[1..]).unwrap();
        assert!(
            answer["description"].as_str().unwrap().contains(kind.code()),
            "{kind:?}"
        );
        let schema = &answer["content"]["application/json"]["schema"]["$ref"];
        assert_eq!(schema, "#/components/schemas/Error");
    }
}

#[tokio::test]
async fn examples_come_from_the_schema_and_are_never_invented() {
    let rows = [
        (
            r#"{"properties":{"a":{"default":7},"b":{"examples":["x"]},"c":{"default":null}}}"#,
            Some(json!({"a": 7, "b": "x"})),
        ),
        (
            r##"{"properties":{"a":{"$ref":"#/$defs/E"}},"required":["a"],"$defs":{"E":{"enum":["red"]}}}"##,
            Some(json!({"a": "red"})),
        ),
        (
            r#"{"properties":{"a":{"type":"string"},"b":{"default":1}},"required":["a"]}"#,
            None,
        ),
        (
            r#"{"properties":{"a":{"type":"string"}},"required":["a"],"examples":[{"a":"whole"}]}"#,
            Some(json!({"a": "whole"})),
        ),
        (r#"{"properties":{}}"#, Some(json!({}))),
    ];
    for (schema, expected) in rows {
        let document = document([with_input("t", schema)]).await;
        let media = &document["paths"]["/t"]["post"]["requestBody"]["content"]["application/json"];
        assert_eq!(media.get("example"), expected.as_ref(), "{schema}");
    }
}

#[tokio::test]
async fn the_head_is_what_the_author_says() {
    let about = About {
        description: Some("Does sums.".to_owned()),
        version: Some("1.2".to_owned()),
        author: Some("Ada".to_owned()),
    };
    let mut titled = tool("with_title");
    (titled.title, titled.category) = (Some("A title".to_owned()), Some("math".to_owned()));
    (titled.description, titled.tags) = (Some("Long text.".to_owned()), vec!["x".to_owned()]);
    let builder = Catalog::builder()
        .about(about)
        .tool(titled)
        .tool(tool("say_hello"));
    let document = document_of(builder.build().unwrap()).await;
    assert_eq!(
        document["info"],
        json!({"title": "demo", "version": "1.2", "description": "Does sums.", "contact": {"name": "Ada"}})
    );
    assert_eq!(document["servers"], json!([{"url": "../demo"}]));
    let operation = &document["paths"]["/with_title"]["post"];
    assert_eq!(
        (
            &operation["summary"],
            &operation["description"],
            &operation["tags"]
        ),
        (&json!("A title"), &json!("Long text."), &json!(["math", "x"]))
    );
    assert_eq!(document["paths"]["/say_hello"]["post"]["summary"], "Say Hello");
    let bare = self::document([tool("t")]).await;
    assert_eq!(bare["info"], json!({"title": "demo", "version": "0"}));
}

#[tokio::test]
async fn members_keep_their_order_and_numbers_their_digits() {
    let schema =
        r#"{"type":"object","properties":{"z":{"maximum":12345678901234567890123},"a":{"default":1.50}}}"#;
    let answer = get(
        &app(EngineMock::new(catalog([with_input("t", schema)]))),
        "/openapi.json",
    )
    .await;
    let inside = schema
        .trim_start_matches(r#"{"type":"object","#)
        .trim_end_matches('}');
    assert!(answer.text().contains(inside), "{}", answer.text());
}

#[tokio::test]
async fn names_of_schemas_are_plain_and_unique() {
    let input = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/B[int]"},"b":{"$ref":"#/$defs/B{int}"}},
        "$defs":{"B[int]":{"const":1},"B{int}":{"const":2}}}"##;
    let document = document([with_input("a", input), tool("a.input"), tool("Error")]).await;
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let plain = |name: &String| {
        name.chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    assert!(schemas.keys().all(plain), "{:?}", schemas.keys());
    assert_eq!(
        (
            &schemas["a.input.B_int_"]["const"],
            &schemas["a.input.B_int__2"]["const"]
        ),
        (&json!(1), &json!(2))
    );
    assert_eq!(schemas["Error"]["required"], json!(["error"]));
}

#[tokio::test]
async fn the_document_is_made_once_and_known_by_its_tag() {
    let engine = std::sync::Arc::new(EngineMock::new(catalog([tool("t")])));
    let app = app(engine.clone());
    let first = get(&app, "/openapi.json").await;
    let again = get(&app, "/openapi.json").await;
    assert_eq!(first.body.as_ptr(), again.body.as_ptr(), "the bytes are shared");
    let ask = || Request::get("/openapi.json").header(IF_NONE_MATCH, &first.headers["etag"]);
    let answer = send(&app, ask().body(Body::empty()).unwrap()).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0));
    engine.change(catalog([tool("u")]));
    let answer = send(&app, ask().body(Body::empty()).unwrap()).await;
    assert!(answer.status == 200 && answer.text().contains("/u"));
}
