//! C#: expressions and types.

use tree_sitter::Node;

use super::super::super::{
    outline::{Arg, Expr},
    syntax::{Syntax, children, number, of_kind, unescape},
};
use super::argument;

/// Reads an expression or a type.
pub(super) fn expr(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    syntax.deeper(node, || {
        let child = |name: &str| syntax.child(node, name, expr);
        let first = || syntax.first(node, expr);
        match node.kind() {
            "string_literal" => Expr::text(unescape(syntax.text(node).trim_matches('"'))),
            "verbatim_string_literal" => Expr::text(
                syntax
                    .text(node)
                    .trim_start_matches('@')
                    .trim_matches('"')
                    .replace("\"\"", "\""),
            ),
            "raw_string_literal" => Expr::text(syntax.text(node).trim_matches('"').trim()),
            "integer_literal" | "real_literal" => number(syntax.text(node)),
            "boolean_literal" => Expr::Bool(syntax.text(node) == "true"),
            "null_literal" => Expr::Null,
            "identifier" | "predefined_type" => Expr::name(syntax.text(node)),
            "qualified_name" => Expr::Member(
                Box::new(child("qualifier")),
                syntax.field(node, "name").unwrap_or_default().to_owned(),
            ),
            "member_access_expression" => Expr::Member(
                Box::new(child("expression")),
                syntax.field(node, "name").unwrap_or_default().to_owned(),
            ),
            "nullable_type" => Expr::generic("?", [first()]),
            "array_type" => Expr::generic("[]", [child("type")]),
            "generic_name" => {
                let of = of_kind(node, "type_argument_list")
                    .first()
                    .map(|list| children(*list))
                    .unwrap_or_default();
                let name = children(node).first().map_or("", |name| syntax.text(*name));
                Expr::generic(name, of.into_iter().map(|kind| expr(syntax, kind)))
            }
            "binary_expression" => Expr::Join(vec![child("left"), child("right")]),
            "parenthesized_expression" | "equals_value_clause" => first(),
            "invocation_expression" | "object_creation_expression" => {
                let callee = if node.kind() == "invocation_expression" {
                    child("function")
                } else {
                    child("type")
                };
                let args = node
                    .child_by_field_name("arguments")
                    .map(|list| of_kind(list, "argument"))
                    .unwrap_or_default();
                let set = node
                    .child_by_field_name("initializer")
                    .map(children)
                    .unwrap_or_default();
                let args = args.into_iter().map(|arg| argument(syntax, arg));
                let set = set
                    .into_iter()
                    .filter(|set| set.kind() == "assignment_expression")
                    .map(|set| {
                        let value = set
                            .child_by_field_name("right")
                            .map_or(Expr::Unknown, |value| expr(syntax, value));
                        Arg::named(syntax.field(set, "left").unwrap_or_default(), value)
                    });
                Expr::call(callee, args.chain(set).collect())
            }
            _ => Expr::Unknown,
        }
    })
}
