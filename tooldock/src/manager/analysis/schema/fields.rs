//! Parameters of functions and members of classes as schemas.

use serde_json::Value;

use super::{
    super::{
        effort::steps,
        outline::{Class, Expr, Field, Function},
        report::Parameter,
        world::{Place, World},
    },
    Reader, Shape,
    hint::said,
    injected::is_injected,
};

/// The parameters of a function that is a tool.
pub(in super::super) fn of_function(world: &World, function: &Function, from: Place) -> Vec<Parameter> {
    let steps = steps();
    let reader = Reader::new(world, &steps);
    let told = function.doc.as_deref().unwrap_or_default();
    let mut all = Vec::new();
    let given = function.params.iter().filter(|field| !is_injected(field));
    for field in given.skip(filled(function)) {
        // `Parameters<T>` stands for all members of T.
        if field.kind.last_name() == Some("Parameters") {
            all.extend(
                super::of_object(&Value::Object(reader.hint(&field.kind, from).schema)).unwrap_or_default(),
            );
            continue;
        }
        let mut parameter = reader.field(field, from);
        if let (Some(text), Some(schema)) = (described(told, &field.name), parameter.schema.as_object_mut()) {
            schema.entry("description").or_insert(text.into());
        }
        all.push(parameter);
    }
    all
}

/// How many parameters a decorator of the project fills in: the first ones without a type, or of any, where later ones have one, if there is such a
/// decorator beside the one that makes a tool of the function.
fn filled(function: &Function) -> usize {
    let given = || function.params.iter().filter(|field| !is_injected(field));
    let untyped = |field: &&Field| {
        let any = field.kind == Expr::Unknown || field.kind.last_name() == Some("Any");
        any && field.default.is_none()
    };
    let first = given().take_while(untyped).count();
    let typed = given().skip(first).any(|field| field.kind != Expr::Unknown);
    if typed && function.marks.len() > 1 {
        first
    } else {
        0
    }
}

/// What a docstring says of a parameter: `name: text` or `name (type): text`.
fn described(doc: &str, name: &str) -> Option<String> {
    let mut lines = doc.lines().map(str::trim).map(|line| {
        line.trim_start_matches(['-', '*', ' '])
            .trim_start_matches(":param ")
            .trim_matches('`')
    });
    let text = lines.find_map(|line| {
        let rest = line.strip_prefix(name)?.trim_start_matches('`');
        let rest = match rest.trim_start().strip_prefix('(') {
            Some(kind) => kind.split_once(')')?.1,
            None => rest,
        };
        rest.trim_start().strip_prefix(':')
    })?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

impl Reader<'_> {
    /// A class as the schema of its values: an enumeration lists them, everything else is an object.
    pub(super) fn class(self, class: &Class, from: Place) -> Shape {
        if class.bases.iter().any(|base| {
            base.last_name()
                .is_some_and(|name| name.to_ascii_lowercase().ends_with("enum"))
        }) {
            let value =
                |field: &Field| match field.default.as_ref().and_then(|value| self.literal(value, from)) {
                    Some(value) => value,
                    None => renamed(field).into(),
                };
            let mut shape = Shape::of_type("string");
            shape.set("enum", class.fields.iter().map(value).collect::<Vec<Value>>());
            return shape;
        }
        Shape::object(self.fields(class, from))
    }

    /// The members of a class and of those that it is built on.
    pub(super) fn fields(self, class: &Class, from: Place) -> Vec<Parameter> {
        let Some(reader) = self.deeper() else {
            return Vec::new();
        };
        let base = |base: &Expr| {
            self.world
                .class(base.last_name()?, from)
                .map(|(place, class)| reader.fields(class, place))
        };
        let mut all: Vec<Parameter> = class.bases.iter().filter_map(base).flatten().collect();
        for field in class.fields.iter().filter(|field| is_member(field)) {
            all.retain(|known| known.name != field.name);
            all.push(reader.field(field, from));
        }
        all
    }

    fn field(self, field: &Field, from: Place) -> Parameter {
        let mut shape = self.hint(&field.kind, from);
        if let Some(default) = &field.default {
            if default.last_name() == Some("Field") {
                self.annotate(&mut shape, default, from);
            } else {
                shape.optional = true;
                if let Some(value) = self.literal(default, from) {
                    shape.set("default", value);
                }
            }
        }
        let text =
            |mark: &Expr, names: &[&str]| said(mark, names).and_then(|text| self.world.prose(text, from));
        if let Some(mark) = field.mark(&[
            "Description",
            "ToolParam",
            "McpToolParam",
            "ToolArg",
            "schemars",
            "P",
        ]) {
            shape.describe(text(mark, &["description", "value"]));
            shape.optional |= mark.member(&["required"]) == Some(&Expr::Bool(false))
                || mark.member(&["defaultValue"]).is_some();
        }
        if let Some(mark) = field.mark(&["jsonschema", "jsonschema_description"]) {
            let said = text(mark, &[]).unwrap_or_default();
            let described = said
                .split_once("description=")
                .map_or(said.as_str(), |(_, rest)| rest);
            shape.describe(
                Some(
                    described
                        .split(",required")
                        .next()
                        .unwrap_or(described)
                        .to_owned(),
                )
                .filter(|text| text != "required"),
            );
        }
        if let (Some(doc), false) = (&field.doc, shape.schema.contains_key("description")) {
            shape.describe(Some(doc.clone()));
        }
        let tag = field
            .mark(&["json"])
            .and_then(|mark| text(mark, &[]))
            .unwrap_or_default();
        shape.optional |= tag.contains("omitempty")
            || tag.contains("omitzero")
            || field.mark(&["serde"]).is_some_and(|mark| {
                mark.positional().any(|word| word.last_name() == Some("default"))
                    || mark.member(&["default"]).is_some()
            });
        let name = renamed(field);
        shape.named(&name)
    }
}

/// The name that a member has in JSON.
fn renamed(field: &Field) -> String {
    let text = |expr: Option<&Expr>| match expr {
        Some(Expr::Text(text)) => text
            .split(',')
            .next()
            .map(str::to_owned)
            .filter(|name| !name.is_empty()),
        _ => None,
    };
    let tag = field
        .mark(&["json", "JsonProperty", "JsonPropertyName"])
        .and_then(|mark| text(said(mark, &["value"])));
    let serde = || {
        field
            .mark(&["serde"])
            .and_then(|mark| text(mark.member(&["rename"])))
    };
    let alias = || {
        field
            .default
            .as_ref()
            .filter(|value| value.last_name() == Some("Field"))
            .and_then(|value| text(value.member(&["alias"])))
    };
    let arg = || {
        field
            .mark(&["ToolArg", "McpToolParam", "McpArg"])
            .and_then(|mark| text(mark.member(&["name"])))
    };
    tag.or_else(serde)
        .or_else(alias)
        .or_else(arg)
        .unwrap_or_else(|| field.name.clone())
}

/// Members of a class that are no members of its values: private ones, settings of the library, and what JSON leaves out.
fn is_member(field: &Field) -> bool {
    let skipped = field
        .mark(&["json"])
        .is_some_and(|mark| mark.positional().next() == Some(&Expr::text("-")));
    !field.name.starts_with('_')
        && !matches!(field.name.as_str(), "model_config" | "serialVersionUID")
        && !skipped
}
