//! Schemas that stand in the code as they are: records with `type` and `properties`, or typed values with these members.

use serde_json::{Map, Value};

use super::{
    super::{outline::Expr, world::Place},
    Reader,
};

/// Calls whose result has a member of the same name for each of a record, or of what such a call gives.
const KEEPS_NAMES: &[&str] = &["entries", "fromEntries", "reduce", "map", "filter", "mapValues"];

/// What stands beside `properties` in a schema; where anything else does, it is a parameter of this name.
const BESIDE: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "description",
    "title",
    "definitions",
    "default",
    "examples",
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "minProperties",
    "maxProperties",
    "propertyNames",
];

/// Whether a record is a schema and not a map of members.
pub(super) fn is_schema(expr: &Expr) -> bool {
    let has = |name: &str| expr.members().iter().any(|arg| arg.name.as_deref() == Some(name));
    let names_type = expr
        .members()
        .iter()
        .any(|arg| arg.name.as_deref() == Some("type") && matches!(arg.value, Expr::Text(_)));
    let beside = |name: &str| BESIDE.contains(&name) || name.starts_with('$');
    let all_beside = || {
        expr.members()
            .iter()
            .filter_map(|arg| arg.name.as_deref())
            .all(beside)
    };
    names_type || (has("properties") && all_beside()) || has("$schema") || has("anyOf")
}

/// Whether a call makes a typed value that is a schema, such as `jsonschema.Schema{Type: …}`.
pub(super) fn is_typed_schema(expr: &Expr) -> bool {
    matches!(expr, Expr::Call(_))
        && expr.last_name().is_some_and(|name| name.ends_with("Schema"))
        && expr.member(&["type", "properties"]).is_some()
}

impl Reader<'_> {
    /// The JSON that an expression gives; what cannot be known is left out.
    pub(super) fn literal(self, expr: &Expr, from: Place) -> Option<Value> {
        let reader = self.deeper()?;
        let (place, expr) = self.world.resolve(expr, from);
        Some(match expr {
            Expr::Null => Value::Null,
            Expr::Bool(value) => (*value).into(),
            Expr::Number(number) => number.clone().into(),
            Expr::Text(text) => text.clone().into(),
            Expr::Join(_) => self.world.prose(expr, place)?.into(),
            Expr::List(items) => items
                .iter()
                .filter_map(|item| reader.literal(item, place))
                .collect(),
            Expr::Record(_) => reader.record(expr, place),
            Expr::Call(_) if is_typed_schema(expr) => reader.record(expr, place),
            Expr::Call(_) => match reader.validator(expr, place) {
                Some(shape) => Value::Object(shape.schema),
                None => self.world.text(expr, place)?.into(),
            },
            _ => return None,
        })
    }

    fn record(self, expr: &Expr, from: Place) -> Value {
        // Members of typed values begin with a capital letter in some languages.
        let typed = matches!(expr, Expr::Call(_));
        let mut object = Map::new();
        for arg in expr.members() {
            match &arg.name {
                Some(name) => {
                    let name = if typed { lower_first(name) } else { name.clone() };
                    let value = match name == "properties" {
                        true => Some(self.properties(&arg.value, from)),
                        false => self.literal(&arg.value, from),
                    };
                    if let Some(value) = value {
                        object.insert(name, value);
                    }
                }
                None => {
                    if let Some(Value::Object(spread)) = self.literal(&arg.value, from) {
                        object.extend(spread);
                    }
                }
            }
        }
        Value::Object(object)
    }
}

impl Reader<'_> {
    /// The schemas of members; one that cannot be known lets everything through. `Null` where the members are not known.
    fn properties(self, expr: &Expr, from: Place) -> Value {
        let Some(reader) = self.deeper() else {
            return Value::Null;
        };
        let (place, expr) = self.world.resolve(expr, from);
        match expr {
            Expr::Record(_) => {}
            // `Object.fromEntries(Object.entries(X).map(…))` and its like have the names of X.
            Expr::Call(call) if KEEPS_NAMES.contains(&call.callee.last_name().unwrap_or_default()) => {
                return match (&call.callee, call.args.first()) {
                    (Expr::Member(of, _), _) if matches!(**of, Expr::Call(_)) => reader.properties(of, place),
                    (_, Some(of)) => reader.properties(&of.value, place),
                    _ => Value::Null,
                };
            }
            Expr::Member(of, name) if name == "properties" => {
                let shape = reader.validator(of, place);
                return shape
                    .and_then(|shape| shape.schema.get("properties").cloned())
                    .unwrap_or_default();
            }
            _ => {
                let all = reader.parameters(expr, place).map(super::Shape::object);
                return all
                    .and_then(|shape| shape.schema.get("properties").cloned())
                    .unwrap_or_default();
            }
        }
        let mut all = Map::new();
        for arg in expr.members() {
            let value = self.literal(&arg.value, place);
            match (&arg.name, value) {
                (Some(name), value) => {
                    drop(all.insert(name.clone(), value.unwrap_or_else(|| Value::Object(Map::new()))));
                }
                (None, Some(Value::Object(spread))) => all.extend(spread),
                (None, _) => {}
            }
        }
        Value::Object(all)
    }
}

fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}
