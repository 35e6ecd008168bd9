//! What a tool must keep to when it asks for headers (2026-07-28, Tools).

use std::collections::HashSet;

use serde_json::Value;

use crate::mark::{MEMBER, collect};

/// Which rule on marks a schema breaks, if any: a client over HTTP must not offer such a tool.
pub(super) fn find_fault(schema: &Value) -> Option<&'static str> {
    let (mut names, mut counted, mut fault) = (HashSet::new(), 0, None);
    collect(schema, &mut Vec::new(), &mut |_, property, name| {
        counted += 1;
        let token = name.as_str().filter(|name| is_token(name));
        let plain = ["string", "integer", "boolean"]
            .map(Value::from)
            .contains(&property["type"]);
        let found = match token {
            None => Some("must be the name of a header"),
            Some(name) if !names.insert(name.to_ascii_lowercase()) => Some("must not occur twice"),
            Some(_) if !plain => Some("must mark a string, an integer or a boolean"),
            Some(_) => None,
        };
        fault = fault.or(found);
    });
    fault.or((count(schema) > counted).then_some("must be reached through `properties` alone"))
}

/// How many schemas anywhere in it are marked.
fn count(schema: &Value) -> usize {
    match schema {
        Value::Array(parts) => parts.iter().map(count).sum(),
        Value::Object(members) => {
            let below = members.iter().map(|(name, member)| match (&**name, member) {
                // Here the names are those of arguments.
                ("properties", Value::Object(properties)) => properties.values().map(count).sum(),
                ("default" | "const" | "enum" | "examples", _) => 0,
                (_, member) => count(member),
            });
            usize::from(members.contains_key(MEMBER)) + below.sum::<usize>()
        }
        _ => 0,
    }
}

/// Whether `text` can be part of a header's name (RFC 9110, token).
fn is_token(text: &str) -> bool {
    !text.is_empty() && http::HeaderName::from_bytes(text.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marks_that_break_a_rule_are_found() {
        let of = |property: Value| json!({"type": "object", "properties": {"a": property}});
        let mark = |kind: &str, name: Value| of(json!({"type": kind, MEMBER: name}));
        let twice = json!({"properties": {
            "a": {"type": "string", MEMBER: "Region"},
            "b": {"properties": {"c": {"type": "string", MEMBER: "region"}}},
        }});
        for (schema, kept) in [
            (of(json!({"type": "string"})), true),
            (mark("string", json!("Region")), true),
            (mark("integer", json!("a-b_c.9!")), true),
            (json!({"properties": {MEMBER: {"type": "string"}}}), true),
            (of(json!({"type": "object", "default": {MEMBER: 1}})), true),
            (mark("string", json!("")), false),
            (mark("string", json!("a b")), false),
            (mark("string", json!("a:b")), false),
            (mark("string", json!("größe")), false),
            (mark("string", json!(7)), false),
            (mark("number", json!("N")), false),
            (mark("object", json!("O")), false),
            (of(json!({MEMBER: "Untyped"})), false),
            (
                of(json!({"type": "array", "items": {"type": "string", MEMBER: "I"}})),
                false,
            ),
            (json!({"$defs": {"d": {"type": "string", MEMBER: "D"}}}), false),
            (
                json!({"anyOf": [{"properties": {"a": {"type": "string", MEMBER: "A"}}}]}),
                false,
            ),
            (twice, false),
        ] {
            assert_eq!(find_fault(&schema).is_none(), kept, "{schema}");
        }
    }
}
