//! One tool as one operation.

use tooldock_engine::{RawJson, Tool, name::RESERVED_TOOLS};

use super::{
    components::{Components, reference},
    example::example,
    flatten::{flatten, names},
    hoist::{hoist, take_definitions},
    responses,
    tree::{Object, Tree},
    unwind::unwind,
};

/// The path of a tool below its namespace.
///
/// `/{tool}`, the short form that other gateways of tools have, so that addresses of theirs go on working; below `/tools` where the
/// gateway itself has something at the short one.
pub(super) fn path(tool: &Tool) -> String {
    let name = tool.name.as_str();
    let prefix = if RESERVED_TOOLS.contains(&name) {
        "/tools"
    } else {
        ""
    };
    format!("{prefix}/{name}")
}

/// The operation that calls `tool`. `wrapped` says whether its structured results are unwrapped before they are answered with.
pub(super) fn operation(tool: &Tool, wrapped: bool, components: &mut Components) -> Tree {
    let name = tool.name.as_str();
    let mut operation = Object::default();
    operation.add("operationId", || Tree::text(name));
    operation.add("summary", || Tree::text(&summary(tool)));
    if let Some(description) = &tool.description {
        operation.add("description", || Tree::text(description));
    }
    let tags = tool.category.iter().chain(&tool.tags);
    if tags.clone().next().is_some() {
        operation.add("tags", || Tree::texts(tags));
    }
    let body = request_body(tool, components);
    operation.add("requestBody", || body);
    let result = result(tool, wrapped, components);
    operation.add("responses", || responses::of_operation(result));
    Tree::object([("post", Tree::Object(operation))])
}

/// The title; without one the name, its words parted and capitalized.
fn summary(tool: &Tool) -> String {
    let capitalized = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    let words = tool.name.as_str().split('_').filter(|word| !word.is_empty());
    let spoken = || words.map(capitalized).collect::<Vec<_>>().join(" ");
    tool.title.clone().unwrap_or_else(spoken)
}

fn request_body(tool: &Tool, components: &mut Components) -> Tree {
    let name = components.reserve(&format!("{}.input", tool.name));
    let mut schema = root(&tool.input_schema);
    let defs = take_definitions(&mut schema);
    let hoisted = hoist(components, &name, "#", defs, Tree::Object(schema));
    let schema = match hoisted {
        Tree::Object(object) => flatten(object, components),
        _ => Object::default(),
    };
    let required = !names(&schema).is_empty();
    let mut media = Object::default();
    media.add("schema", || reference(&name));
    if let Some(example) = example(&schema, components) {
        media.add("example", || example);
    }
    components.put(&name, Tree::Object(schema));
    unwind(components, &name);
    Tree::object([
        (
            "required",
            Tree::Leaf(RawJson::from(serde_json::Value::from(required))),
        ),
        (
            "content",
            Tree::object([("application/json", Tree::Object(media))]),
        ),
    ])
}

/// The schema of what a call answers with; the schema of everything where the tool promises nothing.
fn result(tool: &Tool, wrapped: bool, components: &mut Components) -> Tree {
    let Some(output) = &tool.output_schema else {
        return Tree::Object(Object::default());
    };
    let name = components.reserve(&format!("{}.output", tool.name));
    let mut schema = root(output);
    let defs = take_definitions(&mut schema);
    let inner = if wrapped {
        schema
            .get("properties")
            .and_then(|all| all.get("result"))
            .cloned()
    } else {
        None
    };
    let (place, schema) = match inner {
        Some(inner) => ("#/properties/result", inner),
        None => ("#", Tree::Object(schema)),
    };
    let schema = hoist(components, &name, place, defs, schema);
    components.put(&name, schema);
    reference(&name)
}

/// The root of a published schema, without what only names it as a document of its own.
fn root(schema: &RawJson) -> Object {
    let Tree::Object(mut root) = Tree::read(schema) else {
        return Object::default();
    };
    for name in ["$schema", "$id"] {
        root.take(name);
    }
    root
}
