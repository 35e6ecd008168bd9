//! Validators of JavaScript: zod above all, and libraries that name their parts alike.

use serde_json::{Value, json};

use super::{
    super::{
        outline::{Arg, Call, Expr},
        report::Parameter,
        world::Place,
    },
    Reader, Shape,
};

/// Calls around a schema that change nothing about its parameters.
const AROUND: &[&str] = &[
    "zodToJsonSchema",
    "toJSONSchema",
    "toJsonSchema",
    "jsonSchema",
    "zodToJson",
    "preprocess",
    "lazy",
    "pipe",
    "effect",
    "strictObject",
    "shape",
];

impl Reader<'_> {
    /// The members of a record, each with a validator: `{ name: z.string() }`.
    pub(super) fn members(self, expr: &Expr, from: Place) -> Option<Vec<Parameter>> {
        let mut all: Vec<Parameter> = Vec::new();
        // What only running would tell is among them.
        let is_unknown = |arg: &Arg| arg.name.is_none() && arg.value == Expr::Unknown;
        if expr.members().iter().any(is_unknown) {
            return None;
        }
        for arg in expr.members() {
            let more = match &arg.name {
                Some(name) => vec![self.validator(&arg.value, from).unwrap_or_default().named(name)],
                None => self.parameters(&arg.value, from).unwrap_or_default(),
            };
            for one in more {
                all.retain(|known| known.name != one.name);
                all.push(one);
            }
        }
        Some(all)
    }

    /// What a validator lets through.
    pub(super) fn validator(self, expr: &Expr, from: Place) -> Option<Shape> {
        let reader = self.deeper()?;
        let (place, expr) = self.world.resolve(expr, from);
        match expr {
            Expr::Call(call) => reader.call(call, place),
            // `X.shape` and `X._def` are of X.
            Expr::Member(of, name) if matches!(name.as_str(), "shape" | "schema" | "_def") => {
                reader.validator(of, place)
            }
            Expr::Record(_) if super::literal::is_schema(expr) => match reader.literal(expr, place)? {
                Value::Object(schema) => Some(Shape {
                    schema,
                    optional: false,
                }),
                _ => None,
            },
            // A validator with its description beside it.
            Expr::Record(_) if matches!(expr.member(&["type"]), Some(Expr::Call(_))) => {
                let mut shape = reader.validator(expr.member(&["type"])?, place)?;
                shape.describe(
                    expr.member(&["description"])
                        .and_then(|text| self.world.prose(text, place)),
                );
                Some(shape)
            }
            Expr::Record(_) => reader.members(expr, place).map(Shape::object),
            Expr::Name(name) | Expr::Member(_, name) => {
                let (place, class) = self.world.class(name, place)?;
                Some(reader.class(class, place))
            }
            _ => None,
        }
    }

    /// The validator that another call is made around: `z.preprocess(f, z.string())`.
    pub(super) fn around(self, call: &Call, from: Place) -> Option<Shape> {
        call.args.iter().find_map(|arg| self.validator(&arg.value, from))
    }

    /// What a function of the project makes of its arguments.
    fn applied(self, call: &Call, from: Place) -> Option<Shape> {
        let (place, given) = self.world.applied(call, from, self.effort)?;
        self.validator(&given, place)
    }

    fn call(self, call: &Call, from: Place) -> Option<Shape> {
        let first = call.args.first().map(|arg| &arg.value);
        let Expr::Member(of, method) = &call.callee else {
            let name = call.callee.last_name()?;
            // Bundlers number what has one name in several files.
            let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
            return match AROUND.contains(&plain) {
                true => self.around(call, from),
                false => self
                    .make(name, call, from)
                    .or_else(|| self.renamed(call, from))
                    .or_else(|| self.applied(call, from))
                    .or_else(|| is_about_schemas(name).then(|| self.around(call, from))?),
            };
        };
        if let Some(made) = self.make(method, call, from) {
            return Some(made);
        }
        if AROUND.contains(&method.as_str()) && !call.args.is_empty() {
            return self.around(call, from);
        }
        let inner = |reader: Self| match reader.validator(of, from) {
            Some(shape) => Some(shape),
            // `z.optional(z.string())`
            None => reader.validator(first?, from),
        };
        let mut shape = inner(self)?;
        match (method.as_str(), first) {
            ("describe", Some(text)) => shape.describe(self.world.prose(text, from)),
            ("meta", Some(about)) => shape.describe(
                about
                    .member(&["description"])
                    .and_then(|text| self.world.prose(text, from)),
            ),
            ("optional" | "nullish" | "exactOptional", _) => shape.optional = true,
            ("default" | "prefault" | "catch", value) => {
                shape.optional = true;
                if let Some(value) = value.and_then(|value| self.literal(value, from)) {
                    shape.set("default", value);
                }
            }
            ("int", _) => shape.set("type", "integer"),
            ("array", _) => {
                shape = Shape {
                    schema: json!({"type": "array", "items": shape.schema})
                        .as_object()?
                        .clone(),
                    optional: shape.optional,
                }
            }
            ("partial", _) => shape.set("required", json!([])),
            ("extend" | "merge" | "and" | "safeExtend", Some(more)) => {
                let more = self.parameters(more, from).unwrap_or_default();
                let mut all = super::of_object(&Value::Object(shape.schema)).unwrap_or_default();
                all.retain(|one| more.iter().all(|new| new.name != one.name));
                all.extend(more);
                shape.schema = Shape::object(all).schema;
            }
            ("pick" | "omit", Some(names)) => {
                let listed = |one: &Parameter| names.member(&[&one.name]).is_some();
                let mut all = super::of_object(&Value::Object(shape.schema)).unwrap_or_default();
                all.retain(|one| listed(one) == (method == "pick"));
                shape.schema = Shape::object(all).schema;
            }
            _ => {}
        }
        Some(shape)
    }
}

/// Whether a function whose result is not known may give another form of the schema that it is given: `zodSchemaToInput(X, "x")`.
fn is_about_schemas(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("schema") || name.contains("zod")
}

/// Whether a member is itself a validator, so that its name is the one of a parameter.
pub(in super::super) fn is_validator(expr: &Expr) -> bool {
    let mut expr = expr;
    while let Expr::Call(call) = expr {
        match &call.callee {
            Expr::Member(of, name) if matches!(&**of, Expr::Name(_)) => {
                return matches!(
                    name.as_str(),
                    "string" | "number" | "boolean" | "enum" | "any" | "optional"
                );
            }
            Expr::Member(of, _) => expr = of,
            _ => return false,
        }
    }
    false
}
