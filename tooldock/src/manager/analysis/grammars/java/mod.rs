//! Java: what a file declares.

mod expression;

use tree_sitter::Node;

use self::expression::expr;
use super::super::{
    outline::{Arg, Class, Expr, Field, Function, Outline},
    syntax::{Syntax, children, of_kind},
};

/// Notes what a node says.
pub(in super::super) fn visit(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let at = node.start_byte();
    match node.kind() {
        "method_declaration" => outline.functions.push(function(syntax, node)),
        "class_declaration" | "record_declaration" | "enum_declaration" => {
            outline.classes.push(class(syntax, node));
        }
        "variable_declarator" => {
            if let (Some(name), Some(value)) = (syntax.field(node, "name"), node.child_by_field_name("value"))
            {
                outline.value(at, name, expr(syntax, value));
            }
        }
        "object_creation_expression"
            if syntax
                .field(node, "type")
                .is_some_and(|kind| kind.rsplit('.').next() == Some("Tool")) =>
        {
            outline.site(at, expr(syntax, node));
        }
        // `Tool.builder().name("…")…build()`, from its end.
        "method_invocation" => {
            let text = syntax.text(node);
            if syntax.field(node, "name") == Some("build") && text.contains("Tool.builder()") {
                outline.site(at, builder(syntax, node));
            }
        }
        _ => {}
    }
}

/// A chain of setters as one call with names.
fn builder(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    let mut args = Vec::new();
    let mut next = node.child_by_field_name("object");
    while let Some(setter) = next.filter(|setter| setter.kind() == "method_invocation") {
        let given = setter
            .child_by_field_name("arguments")
            .map(children)
            .unwrap_or_default();
        if let (Some(name), Some(value)) = (syntax.field(setter, "name"), given.last()) {
            args.push(Arg::named(name, expr(syntax, *value)));
        }
        next = setter.child_by_field_name("object");
    }
    Expr::call(Expr::name("Tool"), args)
}

fn function(syntax: &Syntax<'_>, node: Node<'_>) -> Function {
    Function {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        params: parameters(syntax, node),
        marks: annotations(syntax, node),
        doc: doc(syntax, node),
        result: None,
        at: node.start_byte(),
        end: node.end_byte(),
    }
}

fn parameters(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Field> {
    let params = node
        .child_by_field_name("parameters")
        .map(|list| of_kind(list, "formal_parameter"))
        .unwrap_or_default();
    params
        .into_iter()
        .map(|param| {
            let mut field = Field::new(
                syntax.field(param, "name").unwrap_or_default(),
                kind(syntax, param),
            );
            field.marks = annotations(syntax, param);
            field
        })
        .collect()
}

fn class(syntax: &Syntax<'_>, node: Node<'_>) -> Class {
    let body = node.child_by_field_name("body").map(children).unwrap_or_default();
    let is_enum = node.kind() == "enum_declaration";
    let member = |member: Node<'_>| match member.kind() {
        "field_declaration" => {
            let name = member
                .child_by_field_name("declarator")
                .and_then(|declarator| syntax.field(declarator, "name"))?;
            let mut field = Field::new(name, kind(syntax, member));
            field.marks = annotations(syntax, member);
            Some(field)
        }
        "enum_constant" => Some(Field::new(syntax.field(member, "name")?, Expr::Unknown)),
        _ => None,
    };
    Class {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        bases: is_enum.then(|| Expr::name("enum")).into_iter().collect(),
        fields: parameters(syntax, node)
            .into_iter()
            .chain(body.into_iter().filter_map(member))
            .collect(),
        marks: annotations(syntax, node),
        doc: doc(syntax, node),
        at: node.start_byte(),
    }
}

fn kind(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    node.child_by_field_name("type")
        .map_or(Expr::Unknown, |kind| expr(syntax, kind))
}

fn doc(syntax: &Syntax<'_>, node: Node<'_>) -> Option<String> {
    let comment = syntax.before(node, &["block_comment"]).pop()?;
    let text = syntax.text(comment).strip_prefix("/**")?.trim_end_matches("*/");
    let lines = text
        .lines()
        .map(|line| line.trim().trim_start_matches('*').trim());
    let told: Vec<&str> = lines.take_while(|line| !line.starts_with('@')).collect();
    Some(told.join("\n").trim().to_owned())
}

fn annotations(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Expr> {
    let modifiers = of_kind(node, "modifiers");
    let all = modifiers
        .first()
        .map(|modifiers| children(*modifiers))
        .unwrap_or_default();
    all.into_iter()
        .filter(|mark| mark.kind().ends_with("annotation"))
        .map(|mark| annotation(syntax, mark))
        .collect()
}

fn annotation(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    let name = syntax.field(node, "name").unwrap_or_default();
    let given = node
        .child_by_field_name("arguments")
        .map(children)
        .unwrap_or_default();
    let arg = |arg: Node<'_>| match arg.kind() {
        "element_value_pair" => {
            let value = arg
                .child_by_field_name("value")
                .map_or(Expr::Unknown, |value| expr(syntax, value));
            Arg::named(syntax.field(arg, "key").unwrap_or_default(), value)
        }
        _ => Arg::positional(expr(syntax, arg)),
    };
    Expr::call(
        Expr::name(name.rsplit('.').next().unwrap_or(name)),
        given.into_iter().map(arg).collect(),
    )
}
