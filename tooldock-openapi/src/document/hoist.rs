//! Definitions inside a schema become named schemas of the document, and references follow them.

use super::{
    components::{Components, SCHEMAS},
    tree::{Object, Tree},
};

/// Members whose values are maps from names to schemas.
const MAPS: &[&str] = &[
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];

/// Members whose values are data, in which nothing is a reference.
const DATA: &[&str] = &["const", "enum", "default", "examples", "example"];

/// Names the definitions of `schema` in `components` and returns the schema without them, its references pointing there.
///
/// `name` is the reserved name that the schema itself will have; `root` is where it stands in what the tool published
/// (`#`, or deeper when only a part is taken).
pub(super) fn hoist(components: &mut Components, name: &str, root: &str, defs: Object, schema: Tree) -> Tree {
    let mut targets = vec![(root.to_owned(), name.to_owned())];
    let mut named = Vec::new();
    for (pointer, tree) in defs.0 {
        let short = pointer.rsplit('/').next().unwrap_or_default();
        let component = components.reserve(&format!("{name}.{short}"));
        targets.push((pointer, component.clone()));
        named.push((component, tree));
    }
    // The longest pointer that fits is the nearest.
    targets.sort_by_key(|(pointer, _)| std::cmp::Reverse(pointer.len()));
    for (component, tree) in named {
        components.put(&component, redirect(tree, &targets));
    }
    redirect(schema, &targets)
}

/// Takes the definitions out of the root of a schema, with their pointers as names.
pub(super) fn take_definitions(schema: &mut Object) -> Object {
    let mut found = Object::default();
    for place in ["$defs", "definitions"] {
        if let Some(Tree::Object(Object(defs))) = schema.take(place) {
            let pointer = |name: String| format!("#/{place}/{}", name.replace('~', "~0").replace('/', "~1"));
            found
                .0
                .extend(defs.into_iter().map(|(name, tree)| (pointer(name), tree)));
        }
    }
    found
}

fn redirect(schema: Tree, targets: &[(String, String)]) -> Tree {
    match schema {
        Tree::Object(Object(members)) => {
            let inside = |(name, value): (String, Tree)| {
                let value = member(&name, value, targets);
                (name, value)
            };
            Tree::Object(members.into_iter().map(inside).collect())
        }
        Tree::Array(values) => {
            Tree::Array(values.into_iter().map(|value| redirect(value, targets)).collect())
        }
        leaf @ Tree::Leaf(_) => leaf,
    }
}

/// The value of the member `name` of a schema.
fn member(name: &str, value: Tree, targets: &[(String, String)]) -> Tree {
    let each = |value, change: &dyn Fn(Tree) -> Tree| match value {
        Tree::Object(Object(members)) => Tree::Object(
            members
                .into_iter()
                .map(|(name, tree)| (name, change(tree)))
                .collect(),
        ),
        other => other,
    };
    match name {
        "$ref" => follow(value, targets),
        // Which schema a value of the deciding member chooses.
        "mapping" => each(value, &|tree| follow(tree, targets)),
        _ if MAPS.contains(&name) => each(value, &|tree| redirect(spelled(tree), targets)),
        _ if DATA.contains(&name) => value,
        "items" => redirect(spelled(value), targets),
        _ => redirect(value, targets),
    }
}

/// The schema that `true` and `false` are short for; many readers only know objects.
fn spelled(schema: Tree) -> Tree {
    match &schema {
        Tree::Leaf(leaf) if leaf.as_str() == "true" => Tree::object::<&str>([]),
        Tree::Leaf(leaf) if leaf.as_str() == "false" => Tree::object([("not", Tree::object::<&str>([]))]),
        _ => schema,
    }
}

fn follow(reference: Tree, targets: &[(String, String)]) -> Tree {
    let Some(text) = reference.as_text() else {
        return reference;
    };
    let moved = targets.iter().find_map(|(pointer, name)| {
        let rest = text.strip_prefix(pointer.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{SCHEMAS}{name}{rest}"))
    });
    moved.map_or(reference, |moved| Tree::text(&moved))
}
