//! An example of a body, made of what the schema itself gives.

use super::{
    components::Components,
    flatten::names,
    tree::{Object, Tree},
};

/// A body that fits `schema`: its own example, or an example or default of each argument. None where an argument that is required has
/// neither and no fixed choice, since an invented value may not fit.
pub(super) fn example(schema: &Object, components: &Components) -> Option<Tree> {
    if let Some(whole) = first(schema.get("examples")) {
        return Some(whole);
    }
    let required = names(schema);
    let properties = schema.get("properties").and_then(Tree::as_object)?;
    let mut members = Object::default();
    for (name, property) in &properties.0 {
        let told =
            given(property).or_else(|| choice(property, components).filter(|_| required.contains(name)));
        match told {
            Some(value) => members.add(name, || value),
            None if required.contains(name) => return None,
            None => {}
        }
    }
    Some(Tree::Object(members))
}

/// What the author gave as an example or a default.
fn given(property: &Tree) -> Option<Tree> {
    let one = |name| property.get(name).filter(|value| !value.is_null()).cloned();
    first(property.get("examples")).or_else(|| one("example").or_else(|| one("default")))
}

/// The first of a fixed set of values.
fn choice(property: &Tree, components: &Components) -> Option<Tree> {
    let target = property.get("$ref").and_then(Tree::as_text);
    let schema = target
        .and_then(|target| components.find(&target))
        .unwrap_or(property);
    let first = first(schema.get("enum")).or_else(|| schema.get("const").cloned());
    first.or_else(|| given(schema))
}

fn first(values: Option<&Tree>) -> Option<Tree> {
    values?.as_array()?.first().cloned()
}
