//! Records and typed values with the name, the description and the schema of a tool.

use super::{
    super::{outline::Expr, world::Place},
    Declaration, Finder,
};

/// Members that hold what a tool takes.
pub(super) const SCHEMAS: &[&str] = &[
    "inputSchema",
    "input_schema",
    "rawInputSchema",
    "parameters",
    "paramsSchema",
    "inputShape",
    "argsSchema",
    "argsShape",
    "schema",
    "args",
];
/// Those of them that nothing but a tool has.
const SURE: usize = 3;
/// Members that hold what a tool does.
const HANDLERS: &[&str] = &["handler", "execute", "handle", "callback", "invoke"];

impl Finder<'_> {
    pub(super) fn recorded(&mut self, site: &Expr, place: Place) {
        let Some(name) = site.member(&["name", "toolName"]) else {
            return;
        };
        let described = site.member(&["description"]);
        let typed = site.last_name() == Some("Tool");
        let sure = typed || site.member(&SCHEMAS[..SURE]).is_some();
        let likely =
            described.is_some() && (site.member(SCHEMAS).is_some() || site.member(HANDLERS).is_some());
        if !sure && !likely {
            return;
        }
        let declaration = Declaration {
            description: self.prose(described, place),
            parameters: match (site.member(SCHEMAS), typed) {
                (None, true) => None,
                _ => self.input(site, place),
            },
        };
        if sure {
            self.add_named(Some(name), place, declaration);
        } else if let Some(name) = self.world.text(name, place) {
            self.add(&name, place, declaration);
        }
    }
}
