//! C#: what a file declares.

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
        "method_declaration" | "local_function_statement" => outline.functions.push(function(syntax, node)),
        "class_declaration" | "record_declaration" | "struct_declaration" | "enum_declaration" => {
            outline.classes.push(class(syntax, node));
        }
        "variable_declarator" => {
            let value = children(node)
                .into_iter()
                .rfind(|child| child.kind() != "identifier");
            if let (Some(name), Some(value)) = (syntax.field(node, "name"), value) {
                outline.value(at, name, expr(syntax, value));
            }
        }
        "invocation_expression"
            if syntax
                .field(node, "function")
                .is_some_and(|callee| callee.ends_with("McpServerTool.Create")) =>
        {
            outline.site(at, expr(syntax, node));
        }
        "object_creation_expression"
            if syntax
                .field(node, "type")
                .is_some_and(|kind| kind.rsplit('.').next() == Some("Tool")) =>
        {
            outline.site(at, expr(syntax, node));
        }
        _ => {}
    }
}

fn function(syntax: &Syntax<'_>, node: Node<'_>) -> Function {
    Function {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        params: parameters(syntax, node),
        marks: attributes(syntax, node),
        doc: summary(syntax, node),
        result: None,
        at: node.start_byte(),
        end: node.end_byte(),
    }
}

fn parameters(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Field> {
    let list = node
        .child_by_field_name("parameters")
        .into_iter()
        .chain(of_kind(node, "parameter_list"))
        .next();
    let params = list.map(|list| of_kind(list, "parameter")).unwrap_or_default();
    let param = |param: Node<'_>| {
        let mut field = Field::new(
            syntax.field(param, "name").unwrap_or_default(),
            kind(syntax, param),
        );
        field.marks = attributes(syntax, param);
        let last = children(param)
            .pop()
            .filter(|last| !matches!(last.kind(), "identifier" | "attribute_list"));
        let text = syntax.text(param);
        field.default = last
            .filter(|_| text.contains('=') && !text.ends_with(']'))
            .map(|value| expr(syntax, value))
            .filter(|_| has_default(syntax, param));
        field
    };
    params.into_iter().map(param).collect()
}

/// Whether an `=` stands behind the name.
fn has_default(syntax: &Syntax<'_>, param: Node<'_>) -> bool {
    let name = param
        .child_by_field_name("name")
        .map_or(0, |name| name.end_byte());
    let mut cursor = param.walk();
    param
        .children(&mut cursor)
        .any(|child| child.start_byte() >= name && syntax.text(child).starts_with('='))
}

fn class(syntax: &Syntax<'_>, node: Node<'_>) -> Class {
    let body = node.child_by_field_name("body").map(children).unwrap_or_default();
    let is_enum = node.kind() == "enum_declaration";
    let member = |member: Node<'_>| {
        let name = syntax
            .field(member, "name")
            .filter(|_| matches!(member.kind(), "property_declaration" | "enum_member_declaration"))?;
        let mut field = Field::new(name, kind(syntax, member));
        field.marks = attributes(syntax, member);
        field.default = member
            .child_by_field_name("value")
            .map(|value| expr(syntax, value));
        field.doc = summary(syntax, member);
        Some(field)
    };
    Class {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        bases: is_enum.then(|| Expr::name("enum")).into_iter().collect(),
        fields: parameters(syntax, node)
            .into_iter()
            .chain(body.into_iter().filter_map(member))
            .collect(),
        marks: attributes(syntax, node),
        doc: summary(syntax, node),
        at: node.start_byte(),
    }
}

fn kind(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    node.child_by_field_name("type")
        .map_or(Expr::Unknown, |kind| expr(syntax, kind))
}

/// The text of `<summary>` in the comments before an item.
fn summary(syntax: &Syntax<'_>, node: Node<'_>) -> Option<String> {
    let lines = syntax.before(node, &["comment"]);
    let text: Vec<&str> = lines
        .into_iter()
        .filter_map(|line| syntax.text(line).strip_prefix("///"))
        .map(str::trim)
        .collect();
    let text = text.join(" ");
    let (_, rest) = text.split_once("<summary>")?;
    Some(rest.split("</summary>").next().unwrap_or(rest).trim().to_owned())
}

fn attributes(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Expr> {
    let all = of_kind(node, "attribute_list")
        .into_iter()
        .flat_map(|list| of_kind(list, "attribute"));
    let mark = |attribute: Node<'_>| {
        let name = syntax.field(attribute, "name").unwrap_or_default();
        let name = name
            .rsplit('.')
            .next()
            .unwrap_or(name)
            .trim_end_matches("Attribute");
        let list = of_kind(attribute, "attribute_argument_list");
        let args = list
            .first()
            .map(|list| of_kind(*list, "attribute_argument"))
            .unwrap_or_default();
        Expr::call(
            Expr::name(name),
            args.into_iter().map(|arg| argument(syntax, arg)).collect(),
        )
    };
    all.map(mark).collect()
}

/// An argument: `x`, `Name = x` or `name: x`.
fn argument(syntax: &Syntax<'_>, node: Node<'_>) -> Arg {
    let parts = children(node);
    let value = |node: Option<&Node<'_>>| node.map_or(Expr::Unknown, |node| expr(syntax, *node));
    match parts.as_slice() {
        [one] if one.kind() == "assignment_expression" => {
            let name = syntax.field(*one, "left").unwrap_or_default();
            Arg::named(name, value(one.child_by_field_name("right").as_ref()))
        }
        [name, given] => Arg::named(
            syntax.text(*name).trim_end_matches([':', '=', ' ']),
            value(Some(given)),
        ),
        other => Arg::positional(value(other.first())),
    }
}
