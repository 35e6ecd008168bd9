//! JavaScript and TypeScript: classes and enumerations.

use tree_sitter::Node;

use super::{
    super::super::{
        outline::{Class, Expr, Field},
        syntax::{Syntax, children},
    },
    expression::expr,
};

/// A class with its fields. What its constructor gives to the class that it is built on is a field `super`.
pub(super) fn class(syntax: &Syntax<'_>, node: Node<'_>) -> Class {
    let heritage = children(node)
        .into_iter()
        .filter(|child| child.kind() == "class_heritage");
    Class {
        bases: heritage.map(|base| Expr::text(syntax.text(base))).collect(),
        fields: body(node, |one| members(syntax, one)),
        ..named(syntax, node)
    }
}

/// An enumeration; a member without a value has none.
pub(super) fn enumeration(syntax: &Syntax<'_>, node: Node<'_>) -> Class {
    let member = |member: Node<'_>| {
        let name = syntax.field(member, "name")?;
        let value = member.child_by_field_name("value");
        let mut field = Field::new(name.trim_matches(['"', '\'']), Expr::Unknown);
        field.default = value.map(|value| expr(syntax, value));
        Some(field)
    };
    Class {
        bases: vec![Expr::name("enum")],
        fields: body(node, |one| member(one).into_iter().collect()),
        ..named(syntax, node)
    }
}

fn named(syntax: &Syntax<'_>, node: Node<'_>) -> Class {
    Class {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        at: node.start_byte(),
        ..Class::default()
    }
}

fn body(node: Node<'_>, read: impl Fn(Node<'_>) -> Vec<Field>) -> Vec<Field> {
    let body = node.child_by_field_name("body").map(children).unwrap_or_default();
    body.into_iter().flat_map(read).collect()
}

/// A field with its value; a getter counts as one with the value that it returns, and so does what the constructor sets.
fn members(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Field> {
    let field = |name: &str, value: Node<'_>| {
        let mut field = Field::new(name, Expr::Unknown);
        field.default = Some(expr(syntax, value));
        field
    };
    let name = syntax
        .field(node, "name")
        .or_else(|| syntax.field(node, "property"));
    let lines = node.child_by_field_name("body").map(children).unwrap_or_default();
    match (node.kind(), name) {
        ("field_definition" | "public_field_definition", Some(name)) => {
            let value = node.child_by_field_name("value");
            value.map(|value| field(name, value)).into_iter().collect()
        }
        ("method_definition", Some("constructor")) => {
            let lines = lines.into_iter().filter_map(|line| line.named_child(0));
            let set = |line: Node<'_>| {
                let written = line
                    .child_by_field_name("left")
                    .or_else(|| line.child_by_field_name("function"));
                match (line.kind(), syntax.text(written?)) {
                    ("assignment_expression", left) => {
                        let name = left.strip_prefix("this.")?;
                        Some(field(name, line.child_by_field_name("right")?))
                    }
                    ("call_expression", "super") => Some(field("super", line)),
                    _ => None,
                }
            };
            lines.filter_map(set).collect()
        }
        ("method_definition", Some(name)) => {
            let returned = lines.into_iter().find(|line| line.kind() == "return_statement");
            let value = returned.and_then(|line| line.named_child(0));
            value.map(|value| field(name, value)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
