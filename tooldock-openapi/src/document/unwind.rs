//! Bodies without circles, because readers that replace each reference by its target would never end.

use std::collections::HashSet;

use super::{
    components::{Components, SCHEMAS},
    tree::{Object, Tree},
};

/// Replaces, in the schema `name` and in all it refers to, each reference that leads back to where it came from by the outline of
/// its target. What fits the tool fits the result; the gateway checks calls against the schema that the tool published.
pub(super) fn unwind(components: &mut Components, name: &str) {
    visit(components, name, &mut Vec::new(), &mut HashSet::new());
}

fn visit(components: &mut Components, name: &str, path: &mut Vec<String>, done: &mut HashSet<String>) {
    let Some(mut schema) = components.named(name).cloned() else {
        return;
    };
    path.push(name.to_owned());
    let mut further = Vec::new();
    cut(&mut schema, components, path, &mut further);
    components.put(name, schema);
    for name in further {
        if done.insert(name.clone()) {
            visit(components, &name, path, done);
        }
    }
    path.pop();
}

/// Cuts references to the schemas on `path` and notes all others.
fn cut(tree: &mut Tree, components: &Components, path: &[String], further: &mut Vec<String>) {
    match tree {
        Tree::Array(values) => values
            .iter_mut()
            .for_each(|value| cut(value, components, path, further)),
        Tree::Object(object) => {
            let target = object.get("$ref").and_then(Tree::as_text);
            if let Some(name) = target.as_deref().and_then(name_of) {
                if path.iter().any(|met| met == name) {
                    object.take("$ref");
                    outline(object, components.named(name));
                } else {
                    further.push(name.to_owned());
                }
            }
            for (_, value) in &mut object.0 {
                cut(value, components, path, further);
            }
        }
        Tree::Leaf(_) => {}
    }
}

/// The name of the schema that a reference leads to or into.
fn name_of(reference: &str) -> Option<&str> {
    reference.strip_prefix(SCHEMAS)?.split('/').next()
}

/// Adds what can be said of a schema in a few words.
fn outline(object: &mut Object, target: Option<&Tree>) {
    for name in ["type", "title", "description"] {
        if let Some(value) = target.and_then(|target| target.get(name)) {
            object.add(name, || value.clone());
        }
    }
}
