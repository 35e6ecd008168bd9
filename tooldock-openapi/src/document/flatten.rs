//! The root of a body becomes one plain object, because many readers see no argument behind a union or a reference there.

use super::{
    components::Components,
    tree::{Object, Tree},
};

/// References and unions inside each other that are followed; a schema that goes on is left as far as it was read.
const HOPS: usize = 16;

/// `schema` with its root reference, `allOf`, `anyOf` and `oneOf` merged into `properties` and `required`.
///
/// Of a union every argument is listed, and only those that all branches require are required: what fits the tool fits this. The gateway
/// checks calls against the schema that the tool published.
pub(super) fn flatten(schema: Object, components: &Components) -> Object {
    let mut flat = merged(schema, components, HOPS);
    flat.add("type", || Tree::text("object"));
    flat.add("properties", || Tree::Object(Object::default()));
    flat
}

fn merged(mut schema: Object, components: &Components, hops: usize) -> Object {
    let target = schema.take("$ref").and_then(|reference| {
        let reference = reference.as_text()?;
        components.find(&reference).cloned()
    });
    let mut all: Vec<Tree> = target.into_iter().collect();
    all.extend(branches(&mut schema, "allOf"));
    let any = ["anyOf", "oneOf"].map(|keyword| branches(&mut schema, keyword));
    if !any.iter().all(Vec::is_empty) {
        schema.take("discriminator");
    }
    let Some(hops) = hops.checked_sub(1) else {
        return schema;
    };
    let open = |tree: Tree| match tree {
        Tree::Object(object) => Some(merged(object, components, hops)),
        _ => None,
    };
    for mut branch in all.into_iter().filter_map(open) {
        let required = names(&branch);
        require(&mut schema, &required);
        add_properties(&mut schema, branch.take("properties"));
        for (name, tree) in branch.0 {
            schema.add(&name, || tree);
        }
    }
    for union in any {
        let branches: Vec<Object> = union.into_iter().filter_map(open).collect();
        let common = branches.iter().map(names).reduce(|mut common, names| {
            common.retain(|name| names.contains(name));
            common
        });
        require(&mut schema, &common.unwrap_or_default());
        for mut branch in branches {
            add_properties(&mut schema, branch.take("properties"));
        }
    }
    schema
}

fn branches(schema: &mut Object, keyword: &str) -> Vec<Tree> {
    match schema.take(keyword) {
        Some(Tree::Array(branches)) => branches,
        _ => Vec::new(),
    }
}

/// The names that a schema requires.
pub(super) fn names(schema: &Object) -> Vec<String> {
    let names = schema
        .get("required")
        .and_then(Tree::as_array)
        .unwrap_or_default();
    names.iter().filter_map(Tree::as_text).collect()
}

fn require(schema: &mut Object, more: &[String]) {
    let mut all = names(schema);
    let known = all.len();
    for name in more {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    if all.len() > known {
        schema.take("required");
        schema.add("required", || Tree::texts(all));
    }
}

/// Adds properties; one that is there in another form may have either.
fn add_properties(schema: &mut Object, more: Option<Tree>) {
    let Some(Tree::Object(Object(more))) = more else {
        return;
    };
    let mut all = match schema.take("properties") {
        Some(Tree::Object(known)) => known,
        _ => Object::default(),
    };
    for (name, tree) in more {
        match all.0.iter_mut().find(|(known, _)| *known == name) {
            None => all.0.push((name, tree)),
            Some((_, known)) if *known == tree => {}
            Some((_, known)) => {
                *known = Tree::object([("anyOf", Tree::Array(vec![known.clone(), tree]))]);
            }
        }
    }
    schema.add("properties", || Tree::Object(all));
}
