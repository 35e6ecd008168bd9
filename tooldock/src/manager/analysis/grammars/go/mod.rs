//! Go: what a file declares.

mod expression;

use tree_sitter::Node;

use self::expression::expr;
use super::super::{
    outline::{Class, Expr, Field, Function, Outline},
    syntax::{Syntax, children, fields, of_kind, unescape},
};

/// Calls that may declare tools.
const CALLS: &[&str] = &["NewTool", "AddTool", "RegisterTool", "NewToolWithRawSchema"];

/// Notes what a node says.
pub(in super::super) fn visit(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let at = node.start_byte();
    match node.kind() {
        "const_spec" | "var_spec" => assign(
            syntax,
            at,
            fields(node, "name"),
            node.child_by_field_name("value"),
            outline,
        ),
        "short_var_declaration" | "assignment_statement" => {
            let left = node.child_by_field_name("left").map(children).unwrap_or_default();
            assign(syntax, at, left, node.child_by_field_name("right"), outline);
        }
        "function_declaration" | "method_declaration" => {
            let mut function = function(syntax, node);
            function.name = syntax.field(node, "name").unwrap_or_default().to_owned();
            outline.functions.push(function);
        }
        "type_spec" => {
            if let Some(body) = node
                .child_by_field_name("type")
                .filter(|kind| kind.kind() == "struct_type")
            {
                outline.classes.push(structure(syntax, node, body));
            }
        }
        "call_expression" => {
            let callee = syntax.field(node, "function").unwrap_or_default();
            let callee = callee.split('[').next().unwrap_or_default();
            if CALLS.contains(&callee.rsplit('.').next().unwrap_or_default()) {
                outline.site(at, expr(syntax, node));
            }
        }
        "composite_literal"
            if syntax
                .field(node, "type")
                .is_some_and(|kind| kind == "Tool" || kind.ends_with(".Tool")) =>
        {
            outline.site(at, expr(syntax, node));
        }
        _ => {}
    }
}

/// Names on the left get the values on the right, one each.
fn assign(
    syntax: &Syntax<'_>,
    at: usize,
    names: Vec<Node<'_>>,
    values: Option<Node<'_>>,
    outline: &mut Outline,
) {
    let values = values.map(children).unwrap_or_default();
    for (name, value) in names.into_iter().zip(values) {
        outline.value(at, syntax.text(name), expr(syntax, value));
    }
}

fn function(syntax: &Syntax<'_>, node: Node<'_>) -> Function {
    let params = node
        .child_by_field_name("parameters")
        .map(children)
        .unwrap_or_default();
    let param = |param: Node<'_>| {
        let kind = param
            .child_by_field_name("type")
            .map_or(Expr::Unknown, |kind| expr(syntax, kind));
        fields(param, "name")
            .into_iter()
            .map(move |name| Field::new(syntax.text(name), kind.clone()))
            .collect::<Vec<_>>()
    };
    Function {
        params: params.into_iter().flat_map(param).collect(),
        at: node.start_byte(),
        ..Function::default()
    }
}

fn structure(syntax: &Syntax<'_>, node: Node<'_>, body: Node<'_>) -> Class {
    let list = of_kind(body, "field_declaration_list");
    let declared = list.first().map(|list| children(*list)).unwrap_or_default();
    let mut class = Class {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        at: node.start_byte(),
        ..Class::default()
    };
    for line in declared {
        let kind = line
            .child_by_field_name("type")
            .map_or(Expr::Unknown, |kind| expr(syntax, kind));
        let marks = line
            .child_by_field_name("tag")
            .map(|tag| tags(syntax.text(tag)))
            .unwrap_or_default();
        let names = fields(line, "name");
        if names.is_empty() {
            class.bases.push(kind.clone());
        }
        for name in names {
            let mut field = Field::new(syntax.text(name), kind.clone());
            field.marks.clone_from(&marks);
            class.fields.push(field);
        }
    }
    class
}

/// The tags of a field, each as a mark with its text: `json:"name,omitempty"`.
fn tags(text: &str) -> Vec<Expr> {
    let mut marks = Vec::new();
    let mut rest = text.trim_matches('`');
    while let Some((name, value)) = rest.split_once(":\"") {
        let end = value
            .char_indices()
            .find(|(at, c)| *c == '"' && !value[..*at].ends_with('\\'))
            .map_or(value.len(), |(at, _)| at);
        marks.push(Expr::generic(name.trim(), [Expr::text(unescape(&value[..end]))]));
        rest = value.get(end + 1..).unwrap_or_default();
    }
    marks
}
