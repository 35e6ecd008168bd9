//! JavaScript and TypeScript: patterns that take a value apart, in parameters, declarations and loops.

use tree_sitter::Node;

use super::super::super::{
    outline::{Arg, Expr, Field},
    syntax::{Syntax, children},
};

/// A pattern as an expression: a name stands for all of the value, a record for its members, a list for its elements.
pub(super) fn pattern(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    syntax.deeper(node, || match node.kind() {
        "identifier" | "shorthand_property_identifier_pattern" => Expr::name(syntax.text(node)),
        "required_parameter" | "optional_parameter" => syntax.child(node, "pattern", pattern),
        "assignment_pattern" | "object_assignment_pattern" => syntax.child(node, "left", pattern),
        "object_pattern" => {
            let members = children(node).into_iter();
            Expr::Record(members.filter_map(|one| member(syntax, one)).collect())
        }
        "array_pattern" => {
            let items = children(node).into_iter();
            Expr::List(items.map(|item| pattern(syntax, item)).collect())
        }
        _ => Expr::Unknown,
    })
}

fn member(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Arg> {
    if node.kind() == "pair_pattern" {
        return Some(Arg::named(
            syntax.field(node, "key")?,
            syntax.child(node, "value", pattern),
        ));
    }
    match pattern(syntax, node) {
        Expr::Name(name) => Some(Arg::named(name.clone(), Expr::Name(name))),
        _ => None,
    }
}

/// The parameters of a function.
pub(super) fn parameters(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Field> {
    let one = node.child_by_field_name("parameter");
    let list = node.child_by_field_name("parameters").map(children);
    let all = one.into_iter().chain(list.into_iter().flatten());
    all.map(|param| Field::param(pattern(syntax, param))).collect()
}
