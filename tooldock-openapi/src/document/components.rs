//! The schemas that a document keeps under names of their own.

use super::tree::{Object, Tree};

/// Where references to named schemas point.
pub(super) const SCHEMAS: &str = "#/components/schemas/";

/// The name of the schema of every error answer. Names of tools' schemas have a dot, so none is equal to it.
pub(super) const ERROR: &str = "Error";

/// The named schemas of a document, in the order they were added.
#[derive(Debug, Default)]
pub(super) struct Components(Object);

impl Components {
    /// A free name like `wanted`, with every character that a name may not have as `_`. It is taken from now on.
    pub(super) fn reserve(&mut self, wanted: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let wanted: String = wanted.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        let name = (1_usize..)
            .map(|n| match n {
                1 => wanted.clone(),
                n => format!("{wanted}_{n}"),
            })
            .find(|name| self.0.get(name).is_none())
            .expect("finitely many names are taken");
        self.0.add(&name, || Tree::Object(Object::default()));
        name
    }

    /// Puts the schema of a reserved name in its place.
    pub(super) fn put(&mut self, name: &str, schema: Tree) {
        if let Some((_, place)) = self.0.0.iter_mut().find(|(taken, _)| taken == name) {
            *place = schema;
        }
    }

    /// The schema of a name.
    pub(super) fn named(&self, name: &str) -> Option<&Tree> {
        self.0.get(name)
    }

    /// What a reference to a named schema points to.
    pub(super) fn find(&self, reference: &str) -> Option<&Tree> {
        self.named(reference.strip_prefix(SCHEMAS)?)
    }

    /// All of them.
    pub(super) fn finish(self) -> Tree {
        Tree::Object(self.0)
    }
}

/// A schema that says no more than which named one it is.
pub(super) fn reference(name: &str) -> Tree {
    Tree::object([("$ref", Tree::text(&format!("{SCHEMAS}{name}")))])
}
