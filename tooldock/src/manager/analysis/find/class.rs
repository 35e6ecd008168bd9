//! Classes of which each is a tool.

use super::{
    super::{
        outline::{Class, Expr},
        world::Place,
    },
    Declaration, Finder,
    recorded::SCHEMAS,
};

impl Finder<'_> {
    pub(super) fn class(&mut self, class: &Class, place: Place) {
        // What belongs to the class itself may be set behind it: `Shot.toolName = "shot"`.
        let behind = |name: &&str| {
            let set = format!("{}.{name}", class.name);
            let (at, value) = self.world.value(&set, place)?;
            (at.module == place.module).then_some(value)
        };
        let member = |names: &[&str]| {
            let is = |name: &str| names.iter().any(|wanted| name.eq_ignore_ascii_case(wanted));
            let field = class.fields.iter().find(|field| is(&field.name));
            field
                .and_then(|field| field.default.as_ref())
                .or_else(|| names.iter().find_map(behind))
        };
        let is_tool = class.bases.iter().any(|base| match base {
            Expr::Text(text) => text.contains("Tool"),
            other => other.last_name().is_some_and(|name| name.contains("Tool")),
        });
        let name = member(&["name", "toolName"]);
        // Or all of it is given to the class that it is built on.
        let above = member(&["super"]).filter(|_| is_tool && name.is_none());
        if let Some([name, rest @ ..]) = above.map(|call| call.positional().collect::<Vec<_>>()).as_deref()
            && matches!(self.world.resolve(name, place).1, Expr::Text(_))
        {
            self.script(name, rest, place);
        }
        let name = name.and_then(|name| self.world.text(name, place));
        let given = || {
            let mut records = member(&["super"])?.positional();
            records.find_map(|record| self.world.resolve(record, place).1.member(SCHEMAS))
        };
        let schema = member(SCHEMAS).or_else(given);
        let described = member(&["description"]);
        if let (Some(name), true) = (name, is_tool && described.is_some()) {
            let declaration = Declaration {
                description: self.prose(described, place),
                parameters: schema.map_or(Some(Vec::new()), |schema| {
                    super::super::schema::parameters(self.world, schema, place)
                }),
            };
            self.add(&name, place, declaration);
        }
    }
}
