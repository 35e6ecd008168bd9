//! Input schemas that say more than the types of their members.

use serde_json::{Value, json};
use tooldock::{RawJson, ToolOutput, engine::fixed::StaticEngineBuilder};

use super::tool;

pub(super) fn add(engine: StaticEngineBuilder) -> StaticEngineBuilder {
    let region = json!({
        "type": "object", "additionalProperties": false,
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    });
    [
        ("json_schema_2020_12_tool", contact()),
        ("test_custom_header", region),
    ]
    .into_iter()
    .fold(engine, |engine, (name, schema)| {
        let mut tool = tool(name, "Take arguments and repeat them.");
        tool.input_schema = RawJson::from(schema);
        engine.tool(tool, async |_cx, arguments: RawJson| {
            Ok(ToolOutput::text(arguments.as_str()))
        })
    })
}

fn contact() -> Value {
    let text = json!({"type": "string"});
    let address =
        json!({"$anchor": "addressDef", "type": "object", "properties": {"street": text, "city": text}});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": address},
        "properties": {
            "name": text, "address": {"$ref": "#/$defs/address"}, "phone": text, "email": text,
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}
