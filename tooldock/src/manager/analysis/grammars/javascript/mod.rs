//! JavaScript and TypeScript: what a file declares.

mod class;
mod expression;
mod filled;
mod module;
mod pattern;

use tree_sitter::Node;

use self::{
    class::{class, enumeration},
    expression::{expr, member},
    pattern::{parameters, pattern},
};
use super::super::{
    outline::{Arg, Expr, Function, Loop, Outline, Site},
    syntax::{Syntax, children},
};

/// Calls that may declare tools.
const CALLS: &[&str] = &[
    "tool",
    "registerTool",
    "addTool",
    "registerToolTask",
    "defineTool",
    "createTool",
];
/// Arguments among which the name of a tool is, where a function of the project declares it.
const FIRST: usize = 3;
/// Bytes of a call without a text that may declare a tool.
const SHORT: usize = 200;
/// Calls that do something with each element of a list.
const LOOPS: &[&str] = &["forEach", "map", "flatMap"];

/// Notes what a node says.
pub(in super::super) fn visit(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let at = node.start_byte();
    match node.kind() {
        "program" => module::module(syntax, node, outline),
        "import_statement" => module::import(syntax, node, outline),
        "export_statement" => module::export(syntax, node, outline),
        "variable_declarator" => declared(syntax, node, outline),
        "assignment_expression" => {
            filled::fill(syntax, node, outline);
            let name = syntax
                .field(node, "left")
                .map(|left| left.trim_start_matches("exports.").trim_start_matches("module."));
            if let (Some(name), Some(value)) = (name, node.child_by_field_name("right")) {
                outline.value(at, name, expr(syntax, value));
            }
        }
        "call_expression" => called(syntax, node, outline),
        "for_in_statement" => {
            let each = syntax.child(node, "left", pattern);
            outline.loops.push(Loop {
                each,
                of: syntax.child(node, "right", expr),
                at,
                end: node.end_byte(),
            });
        }
        "object" if keys(syntax, node).any(|key| matches!(key, "name" | "toolName")) => {
            outline.site(at, expr(syntax, node));
        }
        "pair" => by_name(syntax, node, outline),
        "class_declaration" | "class" | "abstract_class_declaration" => {
            outline.classes.push(class(syntax, node));
        }
        "enum_declaration" => outline.classes.push(enumeration(syntax, node)),
        "function_declaration" | "method_definition" => outline.functions.push(function(syntax, node)),
        _ => {}
    }
}

/// A name, or a pattern whose names are members of the value.
fn declared(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let at = node.start_byte();
    let Some(value) = node.child_by_field_name("value").map(|value| expr(syntax, value)) else {
        return;
    };
    match (syntax.child(node, "name", pattern), value) {
        (Expr::Name(name), value) => {
            if let Expr::Function(function) = &value {
                outline.functions.push(Function {
                    name: name.clone(),
                    result: None,
                    ..(**function).clone()
                });
            }
            outline.value(at, name, value);
        }
        (Expr::Record(members), value @ (Expr::Name(_) | Expr::Member(..))) => {
            for member in members {
                if let (Some(of), Expr::Name(name)) = (member.name, member.value) {
                    outline.value(at, name, Expr::Member(Box::new(value.clone()), of));
                }
            }
        }
        _ => {}
    }
}

/// A call that may declare a tool, that begins with a text, or that does something with each element of a list.
fn called(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let at = node.start_byte();
    let (Some(callee), Some(list)) = (
        node.child_by_field_name("function"),
        node.child_by_field_name("arguments"),
    ) else {
        return;
    };
    let name = syntax.text(callee).rsplit(['.', '_']).next().unwrap_or_default();
    let first = list.named_child(0);
    let mut texts = children(list).into_iter().take(FIRST);
    if CALLS.contains(&name.trim_end_matches(')')) {
        outline.site(at, expr(syntax, node));
    }
    if list.named_child_count() > 1 && (texts.any(|arg| arg.kind().contains("string")) || is_statement(node))
    {
        outline.calls.push(Site {
            at,
            it: expr(syntax, node),
        });
    }
    if expression::is_merge(syntax, node) {
        outline.site(at, expr(syntax, node));
    }
    let function = first.filter(|first| matches!(first.kind(), "arrow_function" | "function_expression"));
    if let (true, Some(function)) = (LOOPS.contains(&name), function)
        && let Some(each) = parameters(syntax, function).first()
    {
        outline.loops.push(Loop {
            each: each.pattern(),
            of: syntax.child(callee, "object", expr),
            at: function.start_byte(),
            end: function.end_byte(),
        });
    }
}

/// Whether a short call is all that a statement does, as `register(server, search())`.
fn is_statement(node: Node<'_>) -> bool {
    let parent = node.parent().map_or("", |parent| parent.kind());
    node.byte_range().len() <= SHORT
        && matches!(
            parent,
            "expression_statement" | "await_expression" | "binary_expression"
        )
}

/// A record of tools by their names.
fn by_name(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let value = node
        .child_by_field_name("value")
        .filter(|value| value.kind() == "object");
    let names: Vec<&str> = value
        .map(|value| keys(syntax, value).collect())
        .unwrap_or_default();
    let is_tool = names.contains(&"description")
        && names
            .iter()
            .any(|key| matches!(*key, "inputSchema" | "input_schema" | "parameters"));
    if let (
        Some(Arg {
            name: Some(name),
            value: Expr::Record(mut members),
        }),
        true,
    ) = (member(syntax, node).filter(|_| is_tool), !names.contains(&"name"))
    {
        members.push(Arg::named("name", Expr::Text(name)));
        outline.site(node.start_byte(), Expr::Record(members));
    }
}

/// The names of an object's members.
fn keys<'a>(syntax: &Syntax<'a>, node: Node<'_>) -> impl Iterator<Item = &'a str> {
    children(node)
        .into_iter()
        .filter_map(|member| match member.kind() {
            "pair" => syntax
                .field(member, "key")
                .map(|key| key.trim_matches(['"', '\''])),
            "shorthand_property_identifier" => Some(syntax.text(member)),
            _ => None,
        })
}

fn function(syntax: &Syntax<'_>, node: Node<'_>) -> Function {
    Function {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        params: parameters(syntax, node),
        result: result(syntax, node),
        at: node.start_byte(),
        end: node.end_byte(),
        ..Function::default()
    }
}

/// What it gives: an expression that it consists of, or what it returns at its end.
fn result(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Expr> {
    let body = node.child_by_field_name("body")?;
    if body.kind() != "statement_block" {
        return Some(expr(syntax, body));
    }
    let last = children(body).pop()?;
    let value = last
        .named_child(0)
        .filter(|_| last.kind() == "return_statement")?;
    Some(expr(syntax, value))
}
