//! JavaScript and TypeScript: expressions and types.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::{
    outline::{Arg, Expr, Function},
    syntax::{Syntax, children, number, unescape},
};
use super::function;

/// Calls that put the members of records together.
const MERGES: &[&str] = &[
    "Object.assign",
    "_extends",
    "__assign",
    "_objectSpread",
    "__spreadValues",
];

/// Reads an expression.
pub(super) fn expr(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    syntax.deeper(node, || {
        let child = |name: &str| syntax.child(node, name, expr);
        let first = || syntax.first(node, expr);
        let last = || {
            children(node)
                .last()
                .map_or(Expr::Unknown, |inner| expr(syntax, *inner))
        };
        match node.kind() {
            "string" | "template_string" => string(syntax, node),
            "number" => number(syntax.text(node)),
            "true" => Expr::Bool(true),
            "false" => Expr::Bool(false),
            "null" | "undefined" => Expr::Null,
            "identifier" | "this" => Expr::name(syntax.text(node)),
            "member_expression" => Expr::Member(
                Box::new(child("object")),
                syntax.field(node, "property").unwrap_or_default().to_owned(),
            ),
            "subscript_expression" => match child("index") {
                Expr::Text(name) => Expr::Member(Box::new(child("object")), name),
                _ => Expr::Unknown,
            },
            "type_assertion" => last(),
            "as_expression" | "satisfies_expression" | "non_null_expression" | "await_expression" => first(),
            "parenthesized_expression" | "sequence_expression" => last(),
            "array" => Expr::List(
                children(node)
                    .into_iter()
                    .map(|item| expr(syntax, item))
                    .collect(),
            ),
            "object" => Expr::Record(
                children(node)
                    .into_iter()
                    .filter_map(|pair| member(syntax, pair))
                    .collect(),
            ),
            "spread_element" => first(),
            "call_expression" => match is_merge(syntax, node) {
                true => merged(arguments(syntax, node)),
                false => Expr::call(child("function"), arguments(syntax, node)),
            },
            "new_expression" => Expr::call(child("constructor"), arguments(syntax, node)),
            "arrow_function" | "function_expression" => body(syntax, node),
            "binary_expression" => match syntax.field(node, "operator") {
                Some("+") => Expr::Join(vec![child("left"), child("right")]),
                Some("??" | "||" | "&&") => child("right"),
                _ => Expr::Unknown,
            },
            "ternary_expression" => child("consequence"),
            _ => Expr::Unknown,
        }
    })
}

/// A function that only gives a value counts as this value: `() => z.object({…})`; one that is `async` does something.
fn body(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    match node.child_by_field_name("body") {
        Some(body)
            if body.kind() != "statement_block"
                && !syntax.text(node).starts_with("async")
                && node
                    .child_by_field_name("parameters")
                    .is_some_and(|list| list.named_child_count() == 0) =>
        {
            expr(syntax, body)
        }
        _ => Expr::Function(Rc::new(function(syntax, node))),
    }
}

/// Whether a call puts the members of records together, by its name or the one that a compiler gives it.
pub(super) fn is_merge(syntax: &Syntax<'_>, node: Node<'_>) -> bool {
    let callee = syntax.field(node, "function").unwrap_or_default();
    let plain = callee
        .trim_start_matches("(0, ")
        .trim_end_matches(')')
        .trim_end_matches(".default");
    MERGES.contains(&plain.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// A record of all members, where records that are not written out are spread.
fn merged(args: Vec<Arg>) -> Expr {
    let members = |arg: Arg| match arg.value {
        Expr::Record(members) => members,
        value => vec![Arg::positional(value)],
    };
    Expr::Record(args.into_iter().flat_map(members).collect())
}

fn arguments(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Arg> {
    let list = node
        .child_by_field_name("arguments")
        .map(children)
        .unwrap_or_default();
    list.into_iter()
        .map(|arg| Arg::positional(expr(syntax, arg)))
        .collect()
}

pub(super) fn member(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Arg> {
    match node.kind() {
        "pair" => {
            let key = node.child_by_field_name("key")?;
            let name = match key.kind() {
                "string" => unescape(syntax.text(key).trim_matches(['"', '\''])),
                "computed_property_name" => syntax
                    .text(key)
                    .trim_matches(['[', ']'])
                    .rsplit('.')
                    .next()?
                    .to_owned(),
                _ => syntax.text(key).to_owned(),
            };
            Some(Arg::named(name, expr(syntax, node.child_by_field_name("value")?)))
        }
        "shorthand_property_identifier" => Some(Arg::named(syntax.text(node), Expr::name(syntax.text(node)))),
        "spread_element" => Some(Arg::positional(expr(syntax, node))),
        "method_definition" => Some(Arg::named(
            syntax.field(node, "name")?,
            Expr::Function(Rc::new(Function {
                at: node.start_byte(),
                end: node.end_byte(),
                ..Function::default()
            })),
        )),
        _ => None,
    }
}

fn string(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    let part = |part: Node<'_>| match part.kind() {
        "template_substitution" => children(part)
            .first()
            .map_or(Expr::Unknown, |inner| expr(syntax, *inner)),
        _ => Expr::text(unescape(syntax.text(part))),
    };
    let mut parts: Vec<Expr> = children(node).into_iter().map(part).collect();
    match parts.len() {
        0 => Expr::text(""),
        1 => parts.swap_remove(0),
        _ => Expr::Join(parts),
    }
}
