//! Go: expressions and types.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::{
    outline::{Arg, Expr},
    syntax::{Syntax, children, number, unescape},
};
use super::function;

/// Reads an expression or a type.
pub(super) fn expr(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    syntax.deeper(node, || {
        let child = |name: &str| syntax.child(node, name, expr);
        let first = || syntax.first(node, expr);
        let member = |object: &str, name: &str| {
            Expr::Member(
                Box::new(child(object)),
                syntax.field(node, name).unwrap_or_default().to_owned(),
            )
        };
        match node.kind() {
            "interpreted_string_literal" => Expr::text(unescape(syntax.text(node).trim_matches('"'))),
            "raw_string_literal" => Expr::text(syntax.text(node).trim_matches('`')),
            "int_literal" | "float_literal" => number(syntax.text(node)),
            "true" => Expr::Bool(true),
            "false" => Expr::Bool(false),
            "nil" => Expr::Null,
            "identifier" | "type_identifier" | "field_identifier" => Expr::name(syntax.text(node)),
            "selector_expression" => member("operand", "field"),
            "qualified_type" => member("package", "name"),
            "parenthesized_expression" | "literal_element" | "expression_list" => first(),
            "unary_expression" => child("operand"),
            "pointer_type" => Expr::generic("*", [first()]),
            "slice_type" | "array_type" => Expr::generic("[]", [child("element")]),
            "map_type" => Expr::generic("map", [child("key"), child("value")]),
            "generic_type" => child("type"),
            "binary_expression" if syntax.field(node, "operator") == Some("+") => {
                Expr::Join(vec![child("left"), child("right")])
            }
            "call_expression" => {
                let args = node
                    .child_by_field_name("arguments")
                    .map(children)
                    .unwrap_or_default();
                let args = args
                    .into_iter()
                    .map(|arg| Arg::positional(expr(syntax, arg)))
                    .collect();
                Expr::call(child("function"), args)
            }
            "type_instantiation_expression" | "index_expression" => first(),
            "func_literal" => Expr::Function(Rc::new(function(syntax, node))),
            "composite_literal" => literal(syntax, child("type"), node.child_by_field_name("body")),
            "literal_value" => literal(syntax, Expr::generic("map", []), Some(node)),
            _ => Expr::Unknown,
        }
    })
}

/// A list, a map, or a struct, which is a call of its type with names.
fn literal(syntax: &Syntax<'_>, kind: Expr, body: Option<Node<'_>>) -> Expr {
    let elements = body.map(children).unwrap_or_default();
    // The elements of a list or a map need not repeat their type.
    let inner = kind.positional().last().cloned();
    let value = |element: Node<'_>| match (element.named_child(0), &inner) {
        (Some(value), Some(inner)) if value.kind() == "literal_value" => {
            literal(syntax, pointed(inner).clone(), Some(value))
        }
        _ => expr(syntax, element),
    };
    let element = |element: Node<'_>| {
        if element.kind() != "keyed_element" {
            return Arg::positional(value(element));
        }
        let parts = children(element);
        let value = parts.get(1).map_or(Expr::Unknown, |given| value(*given));
        match parts.first().map(|key| expr(syntax, *key)) {
            Some(Expr::Text(name) | Expr::Name(name)) => Arg::named(name, value),
            _ => Arg::positional(value),
        }
    };
    let args: Vec<Arg> = elements.into_iter().map(element).collect();
    match kind.last_name() {
        Some("[]") => Expr::List(args.into_iter().map(|arg| arg.value).collect()),
        Some("map") | None => Expr::Record(args),
        _ => Expr::call(kind, args),
    }
}

/// The type that a pointer points to, or the type itself.
fn pointed(kind: &Expr) -> &Expr {
    match kind.last_name() {
        Some("*") => kind.positional().next().unwrap_or(kind),
        _ => kind,
    }
}
