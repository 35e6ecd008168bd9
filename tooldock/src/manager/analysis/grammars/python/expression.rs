//! Python: expressions and types.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::{
    outline::{Arg, Expr},
    syntax::{Syntax, children, number, unescape},
};
use super::kind;

/// Reads an expression or a type.
pub(super) fn expr(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    syntax.deeper(node, || {
        let child = |name: &str| kind(syntax, node.child_by_field_name(name));
        let all = |nodes: Vec<Node<'_>>| {
            nodes
                .into_iter()
                .map(|node| expr(syntax, node))
                .collect::<Vec<_>>()
        };
        match node.kind() {
            "string" => string(syntax, node),
            "concatenated_string" => Expr::Join(all(children(node))),
            "integer" | "float" => number(syntax.text(node)),
            "true" => Expr::Bool(true),
            "false" => Expr::Bool(false),
            "none" => Expr::Null,
            "identifier" => Expr::name(syntax.text(node)),
            "attribute" => Expr::Member(
                Box::new(child("object")),
                syntax.field(node, "attribute").unwrap_or_default().to_owned(),
            ),
            "list" | "tuple" | "set" | "expression_list" | "pattern_list" | "tuple_pattern" => {
                Expr::List(all(children(node)))
            }
            "type" | "parenthesized_expression" | "await" | "list_splat" => children(node)
                .first()
                .map_or(Expr::Unknown, |inner| expr(syntax, *inner)),
            "dictionary" => Expr::Record(
                children(node)
                    .into_iter()
                    .filter_map(|pair| member(syntax, pair))
                    .collect(),
            ),
            "call" => Expr::call(child("function"), arguments(syntax, node)),
            "lambda" => Expr::Function(Rc::default()),
            "binary_operator" => match syntax.field(node, "operator") {
                Some("|") => Expr::generic("|", [child("left"), child("right")]),
                Some("+") => Expr::Join(vec![child("left"), child("right")]),
                _ => Expr::Unknown,
            },
            "union_type" => Expr::generic("|", all(children(node))),
            "subscript" => {
                let mut parts = all(children(node)).into_iter();
                let callee = parts.next().unwrap_or(Expr::Unknown);
                Expr::call(callee, parts.map(Arg::positional).collect())
            }
            "generic_type" => {
                let callee = node
                    .named_child(0)
                    .map_or(Expr::Unknown, |name| expr(syntax, name));
                let of = node.named_child(1).map(children).unwrap_or_default();
                Expr::call(callee, all(of).into_iter().map(Arg::positional).collect())
            }
            _ => Expr::Unknown,
        }
    })
}

fn member(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Arg> {
    match node.kind() {
        "pair" => {
            let value = kind(syntax, node.child_by_field_name("value"));
            match expr(syntax, node.child_by_field_name("key")?) {
                Expr::Text(name) => Some(Arg::named(name, value)),
                _ => None,
            }
        }
        "dictionary_splat" => Some(Arg::positional(expr(syntax, node.named_child(0)?))),
        _ => None,
    }
}

fn arguments(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Arg> {
    let list = node
        .child_by_field_name("arguments")
        .map(children)
        .unwrap_or_default();
    let arg = |node: Node<'_>| match node.kind() {
        "keyword_argument" => Arg::named(
            syntax.field(node, "name").unwrap_or_default(),
            kind(syntax, node.child_by_field_name("value")),
        ),
        _ => Arg::positional(expr(syntax, node)),
    };
    list.into_iter().map(arg).collect()
}

fn string(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    let raw = syntax
        .text(node)
        .split(['"', '\''])
        .next()
        .is_some_and(|prefix| prefix.contains(['r', 'R']));
    let part = |part: Node<'_>| match part.kind() {
        "string_content" if raw => Some(Expr::text(syntax.text(part))),
        "string_content" => Some(Expr::text(unescape(syntax.text(part)))),
        "interpolation" => Some(kind(syntax, part.child_by_field_name("expression"))),
        _ => None,
    };
    let mut parts: Vec<Expr> = children(node).into_iter().filter_map(part).collect();
    match parts.len() {
        0 => Expr::text(""),
        1 => parts.swap_remove(0),
        _ => Expr::Join(parts),
    }
}
