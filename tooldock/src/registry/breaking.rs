//! What callers of a tool would notice of its new schemas.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use tooldock_engine::{RawJson, Tool};

/// What breaks for callers who know `old`, in their words; nothing where every call that was right still is, and every result that was
/// understood still is. Only what stands in `properties`, `required`, `type` and `enum` is compared.
pub(super) fn breaks(old: &Tool, new: &Tool) -> Vec<String> {
    let (before, after) = (Shape::of(&old.input_schema), Shape::of(&new.input_schema));
    let mut told = Vec::new();
    for name in after.required.difference(&before.required) {
        told.push(format!("the argument `{name}` is required now"));
    }
    for (name, schema) in &before.properties {
        match after.properties.get(name) {
            Some(now) => told.extend(narrows(schema, now).map(|how| format!("the argument `{name}` {how}"))),
            None if after.closed => told.push(format!("there is no argument `{name}` any more")),
            None => {}
        }
    }
    let results = |tool: &Tool| tool.output_schema.as_ref().map(Shape::of);
    match (results(old), results(new)) {
        (Some(_), None) => told.push("results have no structure any more".to_owned()),
        (Some(before), Some(after)) => {
            for name in before.required.difference(&after.required) {
                told.push(format!("results may lack `{name}`"));
            }
            for (name, now) in &after.properties {
                let before = before.properties.get(name);
                let wider = before.and_then(|before| narrows(now, before));
                told.extend(wider.map(|_| format!("`{name}` of a result may be something else")));
            }
        }
        (None, _) => {}
    }
    told
}

/// What is compared of an object's schema.
#[derive(Default)]
struct Shape {
    properties: Map<String, Value>,
    required: BTreeSet<String>,
    /// Whether it takes no other members.
    closed: bool,
}

impl Shape {
    fn of(schema: &RawJson) -> Self {
        let Ok(mut schema) = schema.parse::<Map<String, Value>>() else {
            return Self::default();
        };
        let properties = match schema.remove("properties") {
            Some(Value::Object(properties)) => properties,
            _ => Map::new(),
        };
        Self {
            properties,
            required: words(schema.get("required")),
            closed: schema.get("additionalProperties") == Some(&Value::Bool(false)),
        }
    }
}

/// How `new` takes less than `old` did.
fn narrows(old: &Value, new: &Value) -> Option<&'static str> {
    let types = |schema: &Value| match schema.get("type") {
        Some(Value::String(one)) => BTreeSet::from([one.clone()]),
        many => words(many),
    };
    let (before, after) = (types(old), types(new));
    // A whole number is a number.
    let fits = |one: &String| after.contains(one) || (one == "integer" && after.contains("number"));
    if !after.is_empty() && (before.is_empty() || !before.iter().all(fits)) {
        return Some("has another type");
    }
    let values = |schema: &Value| schema.get("enum").and_then(Value::as_array).cloned();
    match (values(old), values(new)) {
        (Some(before), Some(after)) if before.iter().any(|value| !after.contains(value)) => {
            Some("takes fewer values")
        }
        (None, Some(_)) => Some("takes certain values only"),
        _ => None,
    }
}

fn words(list: Option<&Value>) -> BTreeSet<String> {
    let words = list.and_then(Value::as_array).into_iter().flatten();
    words.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(input: Value, output: Option<Value>) -> Tool {
        let mut tool = Tool::new("t".parse().unwrap());
        tool.input_schema = input.into();
        tool.output_schema = output.map(RawJson::from);
        tool
    }

    fn arguments(properties: &Value, required: &[&str]) -> Tool {
        let schema = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
        tool(schema, None)
    }

    #[test]
    fn what_callers_notice_is_told() {
        let old = arguments(
            &json!({"a": {"type": "integer"}, "b": {"enum": [1, 2]}, "c": {}}),
            &["a"],
        );
        for (new, told) in [
            (
                arguments(
                    &json!({"a": {"type": "integer"}, "b": {"enum": [1, 2]}, "c": {}}),
                    &["a", "c"],
                ),
                "the argument `c` is required now",
            ),
            (
                arguments(&json!({"a": {"type": "integer"}, "b": {"enum": [1, 2]}}), &["a"]),
                "there is no argument `c` any more",
            ),
            (
                arguments(
                    &json!({"a": {"type": "string"}, "b": {"enum": [1, 2]}, "c": {}}),
                    &["a"],
                ),
                "the argument `a` has another type",
            ),
            (
                arguments(
                    &json!({"a": {"type": "integer"}, "b": {"enum": [2]}, "c": {}}),
                    &["a"],
                ),
                "the argument `b` takes fewer values",
            ),
            (
                arguments(
                    &json!({"a": {"type": "integer"}, "b": {"enum": [1, 2]}, "c": {"enum": [1]}}),
                    &["a"],
                ),
                "the argument `c` takes certain values only",
            ),
        ] {
            assert_eq!(breaks(&old, &new), [told]);
        }
        let result = |properties: Value, required: Value| {
            let output = json!({"type": "object", "properties": properties, "required": required});
            tool(json!({"type": "object"}), Some(output))
        };
        let old = result(json!({"x": {"type": "integer"}}), json!(["x"]));
        let less = result(json!({"x": {"type": "integer"}}), json!([]));
        assert_eq!(breaks(&old, &less), ["results may lack `x`"]);
        let wider = result(json!({"x": {"type": ["integer", "null"]}}), json!(["x"]));
        assert_eq!(breaks(&old, &wider), ["`x` of a result may be something else"]);
        assert_eq!(
            breaks(&old, &tool(json!({"type": "object"}), None)),
            ["results have no structure any more"]
        );
    }

    #[test]
    fn what_takes_more_breaks_nothing() {
        let old = arguments(&json!({"a": {"type": "integer"}}), &["a"]);
        let mut new = arguments(
            &json!({"a": {"type": ["number", "null"]}, "b": {"type": "string"}}),
            &[],
        );
        new.description = Some("Other words.".to_owned());
        assert_eq!(breaks(&old, &new), [""; 0]);
        let output = json!({"type": "object", "properties": {"x": {}}, "required": ["x"]});
        let (old, new) = (
            tool(json!({"type": "object"}), None),
            tool(json!({"type": "object"}), Some(output)),
        );
        assert_eq!(breaks(&old, &new), [""; 0]);
    }
}
