//! JavaScript and TypeScript: records that are filled after they were made.

use tree_sitter::Node;

use super::{
    super::super::{
        outline::{Arg, Expr, Outline},
        syntax::Syntax,
    },
    expression::expr,
};

/// Values that are looked back through for the record that is filled.
const BACK: usize = 100;

/// `shape.page = z.number()` gives a record one more member. Under a condition it gives none for sure, and a name that only running would
/// tell makes of an empty record one that is not known.
pub(super) fn fill(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let Some(left) = node.child_by_field_name("left") else {
        return;
    };
    let name = match left.kind() {
        "member_expression" => syntax.field(left, "property").map(str::to_owned),
        "subscript_expression" => match syntax.child(left, "index", expr) {
            Expr::Text(name) => Some(name),
            _ => None,
        },
        _ => return,
    };
    let object = syntax.field(left, "object").unwrap_or_default();
    let value = syntax.child(node, "right", expr);
    let (at, block) = (node.start_byte(), outline.block);
    let statement = node.parent().and_then(|statement| statement.parent());
    let alone = statement.is_none_or(|around| around.kind() != "if_statement");
    let mut back = outline.values.iter_mut().rev().take(BACK);
    let Some(filled) = back.find(|one| one.name == object && one.end > at) else {
        return;
    };
    if let Expr::Record(members) = &mut filled.expr {
        match name {
            Some(name) if alone && block == filled.end => {
                members.retain(|one| one.name.as_ref() != Some(&name));
                members.push(Arg::named(name, value));
            }
            None if members.is_empty() => members.push(Arg::positional(Expr::Unknown)),
            _ => {}
        }
    }
}
