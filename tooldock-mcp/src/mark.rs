//! Arguments that are mirrored in headers: `x-mcp-header` in the schema of a tool (2026-07-28, Transports).

use serde_json::{Map, Value};

/// The member of a property's schema that asks for a header.
pub(crate) const MEMBER: &str = "x-mcp-header";

/// How the headers begin that mirror arguments.
pub(crate) const PREFIX: &str = "mcp-param-";

/// An argument that is mirrored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The header, in lower case.
    pub(crate) header: String,
    /// Where the argument stands.
    pub(crate) path: Vec<String>,
}

impl Mark {
    /// The marks of a schema; they count only where `properties` alone lead to them.
    pub(crate) fn all(schema: &Value) -> Vec<Self> {
        let mut marks = Vec::new();
        collect(schema, &mut Vec::new(), &mut |path, _, name| {
            marks.extend(name.as_str().map(|name| Self {
                header: format!("{PREFIX}{}", name.to_ascii_lowercase()),
                path: path.to_vec(),
            }));
        });
        marks
    }

    /// The argument that it marks, unless that is absent or null.
    pub(crate) fn value<'a>(&self, arguments: &'a Value) -> Option<&'a Value> {
        self.path
            .iter()
            .try_fold(arguments, |value, name| value.get(name))
            .filter(|value| !value.is_null())
    }
}

/// Calls `found` with path, schema and mark of each property that is marked.
pub(crate) fn collect(
    schema: &Value,
    path: &mut Vec<String>,
    found: &mut impl FnMut(&[String], &Value, &Value),
) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flat_map(Map::iter) {
        path.push(name.clone());
        if let Some(mark) = schema.get(MEMBER) {
            found(path, schema, mark);
        }
        collect(schema, path, found);
        path.pop();
    }
}
