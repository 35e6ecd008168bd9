//! Options behind a name that each declare a parameter, as in Go: `mcp.WithString("query", mcp.Required(), mcp.Description("…"))`.

use serde_json::json;

use super::{
    super::{
        outline::Expr,
        report::Parameter,
        world::{Place, World},
    },
    Shape,
};

/// Makers of options, with the type of JSON that they declare.
const TYPES: &[(&str, &str)] = &[
    ("WithString", "string"),
    ("WithNumber", "number"),
    ("WithBoolean", "boolean"),
    ("WithArray", "array"),
    ("WithObject", "object"),
    ("WithInteger", "integer"),
    ("WithStringItems", "array"),
    ("WithAny", ""),
];

/// What the options of a tool declare: its description and its parameters. `None` when there is no option at all.
pub(in super::super) fn options<'a>(
    world: &World,
    options: impl Iterator<Item = &'a Expr>,
    from: Place,
) -> (Option<String>, Vec<Parameter>) {
    let (mut description, mut parameters) = (None, Vec::new());
    for option in options {
        let (place, option) = world.resolve(option, from);
        let name = option.last_name().unwrap_or_default();
        if name == "WithDescription" {
            description = option
                .positional()
                .next()
                .and_then(|text| world.prose(text, place));
        }
        let kind = TYPES
            .iter()
            .find(|(maker, _)| *maker == name)
            .map(|(_, kind)| *kind);
        if let (Some(kind), Some(named)) = (
            kind,
            option
                .positional()
                .next()
                .and_then(|name| world.text(name, place)),
        ) {
            parameters.push(parameter(world, kind, &named, option, place));
        }
    }
    (description, parameters)
}

fn parameter(world: &World, kind: &str, name: &str, option: &Expr, from: Place) -> Parameter {
    let mut shape = if kind.is_empty() {
        Shape::default()
    } else {
        Shape::of_type(kind)
    };
    shape.optional = true;
    for property in option.positional().skip(1) {
        let given: Vec<String> = property
            .positional()
            .filter_map(|value| world.text(value, from))
            .collect();
        match property.last_name() {
            Some("Required") => shape.optional = false,
            Some("Description") => shape.describe(given.into_iter().next()),
            Some("Enum") => shape.set("enum", json!(given)),
            _ => {}
        }
    }
    shape.named(name)
}
