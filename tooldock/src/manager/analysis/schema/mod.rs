//! JSON schemas of parameters, from the ways in which source code says what they are.

mod builder;
mod fields;
mod hint;
mod injected;
mod literal;
mod maker;
mod renamed;
mod validator;

use std::cell::Cell;

use serde_json::{Map, Value};

use super::{
    effort::{Effort, steps},
    outline::Expr,
    report::Parameter,
    world::{Place, World},
};

pub(super) use self::{builder::options, fields::of_function, validator::is_validator};

/// What one expression says a value is.
#[derive(Debug, Clone, Default, PartialEq)]
struct Shape {
    schema: Map<String, Value>,
    optional: bool,
}

impl Shape {
    fn of_type(name: &str) -> Self {
        let mut shape = Self::default();
        shape.set("type", name);
        shape
    }

    fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.schema.insert(key.to_owned(), value.into());
    }

    fn describe(&mut self, text: Option<String>) {
        if let Some(text) = text {
            self.set("description", text);
        }
    }

    /// The schema of an object with these parameters.
    fn object(parameters: Vec<Parameter>) -> Self {
        let required: Vec<Value> = parameters
            .iter()
            .filter(|one| one.required)
            .map(|one| one.name.clone().into())
            .collect();
        let properties: Map<String, Value> =
            parameters.into_iter().map(|one| (one.name, one.schema)).collect();
        let mut shape = Self::of_type("object");
        shape.set("properties", properties);
        shape.set("required", required);
        shape
    }

    fn named(self, name: &str) -> Parameter {
        Parameter {
            name: name.to_owned(),
            required: !self.optional,
            schema: Value::Object(self.schema),
        }
    }
}

/// Reads schemas in a world, with a certain effort.
#[derive(Debug, Clone, Copy)]
struct Reader<'a> {
    world: &'a World,
    effort: Effort<'a>,
}

impl<'a> Reader<'a> {
    fn new(world: &'a World, steps: &'a Cell<u32>) -> Self {
        Self {
            world,
            effort: Effort::new(steps),
        }
    }

    /// The same, one step deeper; nothing when there is no effort left.
    fn deeper(self) -> Option<Self> {
        Some(Self {
            effort: self.effort.deeper()?,
            ..self
        })
    }
}

/// The parameters that an expression declares in any of the ways that there are: a schema of JSON, members with validators, a validator
/// of an object, a class.
pub(super) fn parameters(world: &World, expr: &Expr, from: Place) -> Option<Vec<Parameter>> {
    Reader::new(world, &steps()).parameters(expr, from)
}

impl Reader<'_> {
    fn parameters(self, expr: &Expr, from: Place) -> Option<Vec<Parameter>> {
        let reader = self.deeper()?;
        let (place, found) = self.world.resolve(expr, from);
        if let Expr::Record(_) = found {
            return match literal::is_schema(found) {
                true => of_object(&reader.literal(found, place)?),
                false => reader.members(found, place),
            };
        }
        if let Expr::Name(name) | Expr::Member(_, name) = found
            && let Some((place, class)) = self.world.class(name, place)
        {
            return Some(reader.fields(class, place));
        }
        if literal::is_typed_schema(found) {
            return of_object(&reader.literal(found, place)?);
        }
        of_object(&Value::Object(reader.validator(found, place)?.schema))
    }
}

/// The parameters in the schema of an object.
fn of_object(schema: &Value) -> Option<Vec<Parameter>> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return (schema["type"] == "object").then(Vec::new);
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let parameter = |(name, schema): (&String, &Value)| Parameter {
        name: name.clone(),
        required: is_required(name),
        schema: schema.clone(),
    };
    Some(properties.iter().map(parameter).collect())
}
