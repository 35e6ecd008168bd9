//! Java: expressions and types.

use tree_sitter::Node;

use super::super::super::{
    outline::{Arg, Expr},
    syntax::{Syntax, children, dedent, number, unescape},
};
use super::annotation;

/// Reads an expression or a type.
pub(super) fn expr(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    syntax.deeper(node, || {
        let child = |name: &str| syntax.child(node, name, expr);
        let all = |nodes: Vec<Node<'_>>| {
            nodes
                .into_iter()
                .map(|node| Arg::positional(expr(syntax, node)))
                .collect::<Vec<_>>()
        };
        match node.kind() {
            "string_literal" => string(syntax.text(node)),
            "decimal_integer_literal" | "decimal_floating_point_literal" => number(syntax.text(node)),
            "true" => Expr::Bool(true),
            "false" => Expr::Bool(false),
            "null_literal" => Expr::Null,
            "identifier"
            | "type_identifier"
            | "integral_type"
            | "floating_point_type"
            | "boolean_type"
            | "void_type" => Expr::name(syntax.text(node)),
            "scoped_type_identifier" => Expr::name(syntax.text(node).rsplit('.').next().unwrap_or_default()),
            "field_access" => Expr::Member(
                Box::new(child("object")),
                syntax.field(node, "field").unwrap_or_default().to_owned(),
            ),
            "generic_type" => {
                let parts = children(node);
                let name = parts.first().map_or(Expr::Unknown, |name| expr(syntax, *name));
                Expr::call(
                    name,
                    parts.get(1).map(|of| all(children(*of))).unwrap_or_default(),
                )
            }
            "array_type" => Expr::generic("[]", [child("element")]),
            "binary_expression" if syntax.field(node, "operator") == Some("+") => {
                Expr::Join(vec![child("left"), child("right")])
            }
            "parenthesized_expression" => children(node)
                .first()
                .map_or(Expr::Unknown, |inner| expr(syntax, *inner)),
            "annotation" => annotation(syntax, node),
            "object_creation_expression" => Expr::call(
                child("type"),
                node.child_by_field_name("arguments")
                    .map(|list| all(children(list)))
                    .unwrap_or_default(),
            ),
            "method_invocation" => {
                let callee = Expr::Member(
                    Box::new(child("object")),
                    syntax.field(node, "name").unwrap_or_default().to_owned(),
                );
                Expr::call(
                    callee,
                    node.child_by_field_name("arguments")
                        .map(|list| all(children(list)))
                        .unwrap_or_default(),
                )
            }
            _ => Expr::Unknown,
        }
    })
}

/// A literal, also one of several lines.
fn string(text: &str) -> Expr {
    match text.strip_prefix("\"\"\"") {
        Some(block) => Expr::text(dedent(&unescape(
            block.trim_end_matches("\"\"\"").trim_start_matches('\n'),
        ))),
        None => Expr::text(unescape(
            text.get(1..text.len().saturating_sub(1)).unwrap_or_default(),
        )),
    }
}
