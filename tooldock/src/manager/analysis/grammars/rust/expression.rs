//! Rust: expressions and types.

use tree_sitter::Node;

use super::super::super::{
    outline::{Arg, Expr},
    syntax::{Syntax, children, number, of_kind, unescape},
};

/// Reads an expression or a type.
pub(super) fn expr(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    syntax.deeper(node, || {
        let child = |name: &str| syntax.child(node, name, expr);
        let first = || syntax.first(node, expr);
        match node.kind() {
            "string_literal" | "raw_string_literal" => Expr::text(string(syntax, node)),
            "integer_literal" | "float_literal" => number(syntax.text(node)),
            "boolean_literal" => Expr::Bool(syntax.text(node) == "true"),
            "identifier" | "type_identifier" | "primitive_type" | "field_identifier" | "self" => {
                Expr::name(syntax.text(node))
            }
            "scoped_identifier" | "scoped_type_identifier" => Expr::Member(
                Box::new(child("path")),
                syntax.field(node, "name").unwrap_or_default().to_owned(),
            ),
            "generic_type" => {
                let of = node
                    .child_by_field_name("type_arguments")
                    .map(children)
                    .unwrap_or_default();
                Expr::call(
                    child("type"),
                    of.into_iter()
                        .map(|kind| Arg::positional(expr(syntax, kind)))
                        .collect(),
                )
            }
            "reference_type" => child("type"),
            "array_type" => Expr::generic("[]", [child("element")]),
            "reference_expression" => child("value"),
            "call_expression" => match child("function") {
                // `"text".into()` is the text.
                Expr::Member(text, conversion)
                    if matches!(*text, Expr::Text(_))
                        && matches!(conversion.as_str(), "into" | "to_string" | "to_owned") =>
                {
                    *text
                }
                callee => {
                    let args = node
                        .child_by_field_name("arguments")
                        .map(children)
                        .unwrap_or_default();
                    Expr::call(
                        callee,
                        args.into_iter()
                            .map(|arg| Arg::positional(expr(syntax, arg)))
                            .collect(),
                    )
                }
            },
            "field_expression" => Expr::Member(
                Box::new(child("value")),
                syntax.field(node, "field").unwrap_or_default().to_owned(),
            ),
            "struct_expression" => {
                let fields = node
                    .child_by_field_name("body")
                    .map(|body| of_kind(body, "field_initializer"))
                    .unwrap_or_default();
                let field = |field: Node<'_>| {
                    let value = field
                        .child_by_field_name("value")
                        .map_or(Expr::Unknown, |value| expr(syntax, value));
                    Arg::named(syntax.field(field, "field").unwrap_or_default(), value)
                };
                Expr::call(child("name"), fields.into_iter().map(field).collect())
            }
            "parenthesized_expression" | "try_expression" | "await_expression" => first(),
            _ => Expr::Unknown,
        }
    })
}

fn string(syntax: &Syntax<'_>, node: Node<'_>) -> String {
    let text = syntax.text(node);
    let raw = node.kind() == "raw_string_literal";
    let inner = text
        .find('"')
        .zip(text.rfind('"'))
        .and_then(|(start, end)| text.get(start + 1..end))
        .unwrap_or_default();
    if raw { inner.to_owned() } else { unescape(inner) }
}
