//! What the makers of validators make: `z.object({…})`, `Type.String()`.

use serde_json::Value;

use super::{
    super::{
        outline::{Call, Expr},
        report::Parameter,
        world::Place,
    },
    Reader, Shape,
};

/// Makers of a plain type, with the type of JSON that they mean.
const PLAIN: &[(&str, &str)] = &[
    ("string", "string"),
    ("number", "number"),
    ("boolean", "boolean"),
    ("bool", "boolean"),
    ("integer", "integer"),
    ("int", "integer"),
    ("bigint", "integer"),
    ("date", "string"),
    ("email", "string"),
    ("url", "string"),
    ("uuid", "string"),
    ("stringbool", "boolean"),
    ("record", "object"),
    ("map", "object"),
    ("datetime", "string"),
];

impl Reader<'_> {
    /// What a maker makes: `z.object({…})`, `Type.String()`.
    pub(super) fn make(self, name: &str, call: &Call, from: Place) -> Option<Shape> {
        let lower = name.to_ascii_lowercase();
        let first = call.args.first().map(|arg| &arg.value);
        // A method of a schema, such as `.int()` or `.email()`, makes nothing.
        let of_schema = matches!(&call.callee, Expr::Member(of, _) if matches!(**of, Expr::Call(_)) && of.last_name() != Some("coerce"));
        if of_schema {
            return None;
        }
        let mut shape = match (lower.as_str(), first) {
            ("object" | "strictobject" | "looseobject" | "interface", Some(members)) => {
                let (place, members) = self.world.resolve(members, from);
                Shape::object(self.members(members, place)?)
            }
            ("object", None) => Shape::of_type("object"),
            ("array" | "tuple" | "set", items) => {
                let mut shape = Shape::of_type("array");
                if let Some(items) = items.and_then(|items| self.validator(items, from)) {
                    shape.set("items", items.schema);
                }
                shape
            }
            ("enum" | "nativeenum" | "picklist", Some(values)) => self.choice(values, from),
            ("literal", Some(value)) => {
                let mut shape = Shape::default();
                shape.set("const", self.literal(value, from)?);
                shape
            }
            ("union" | "discriminatedunion" | "intersection" | "or", _) => self.union(call, from),
            ("any" | "unknown" | "custom" | "instanceof" | "null" | "undefined" | "never", _) => {
                Shape::default()
            }
            _ => Shape::of_type(PLAIN.iter().find(|(maker, _)| *maker == lower)?.1),
        };
        let about = call
            .args
            .last()
            .and_then(|arg| arg.value.member(&["description"]));
        if lower != "object" || call.args.len() > 1 {
            shape.describe(about.and_then(|text| self.world.prose(text, from)));
        }
        Some(shape)
    }

    fn choice(self, values: &Expr, from: Place) -> Shape {
        let mut shape = Shape::of_type("string");
        let (place, values) = self.world.resolve(values, from);
        let listed = match values {
            Expr::Record(members) => members
                .iter()
                .filter_map(|one| self.literal(&one.value, place))
                .collect(),
            Expr::Name(name) => match self.world.class(name, place) {
                Some((place, class)) => return self.class(class, place),
                None => return shape,
            },
            other => self.literal(other, place).unwrap_or_default(),
        };
        if listed.is_array() {
            shape.set("enum", listed);
        }
        shape
    }

    fn union(self, call: &Call, from: Place) -> Shape {
        let lists = call
            .args
            .iter()
            .find_map(|arg| match self.world.resolve(&arg.value, from) {
                (place, Expr::List(items)) => Some((place, items)),
                _ => None,
            });
        let Some((place, items)) = lists else {
            return Shape::default();
        };
        let options: Vec<Value> = items
            .iter()
            .filter_map(|item| self.validator(item, place))
            .map(|shape| Value::Object(shape.schema))
            .collect();
        let mut shape = Shape::default();
        // An object of one of several forms has the parameters of them all.
        let mut merged: Vec<Parameter> = Vec::new();
        for option in options.iter().filter_map(super::of_object).flatten() {
            if merged.iter().all(|known| known.name != option.name) {
                merged.push(Parameter {
                    required: false,
                    ..option
                });
            }
        }
        if !merged.is_empty() {
            return Shape::object(merged);
        }
        shape.set("anyOf", options);
        shape
    }
}
