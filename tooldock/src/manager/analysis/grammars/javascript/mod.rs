//! JavaScript and TypeScript: what a file declares.

mod expression;

use tree_sitter::Node;

use self::expression::{expr, member};
use super::super::{
    outline::{Arg, Class, Expr, Field, Function, Outline, Site},
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

/// Notes what a node says.
pub(in super::super) fn visit(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let at = node.start_byte();
    match node.kind() {
        "variable_declarator" => {
            if let (Some(name), Some(value)) = (syntax.field(node, "name"), node.child_by_field_name("value"))
            {
                outline.values.push(Site {
                    at,
                    it: (name.to_owned(), expr(syntax, value)),
                });
            }
        }
        "assignment_expression" => {
            let name = syntax
                .field(node, "left")
                .map(|left| left.trim_start_matches("exports.").trim_start_matches("module."));
            if let (Some(name), Some(value)) = (name, node.child_by_field_name("right")) {
                outline.values.push(Site {
                    at,
                    it: (name.to_owned(), expr(syntax, value)),
                });
            }
        }
        "call_expression" => {
            let callee = node
                .child_by_field_name("function")
                .map(|callee| syntax.text(callee).rsplit(['.', '_']).next().unwrap_or_default());
            if callee.is_some_and(|callee| CALLS.contains(&callee.trim_end_matches(')'))) {
                outline.sites.push(Site {
                    at,
                    it: expr(syntax, node),
                });
            }
        }
        "object" if keys(syntax, node).any(|key| matches!(key, "name" | "toolName")) => {
            outline.sites.push(Site {
                at,
                it: expr(syntax, node),
            });
        }
        // A record of tools by their names.
        "pair" => {
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
                outline.sites.push(Site {
                    at,
                    it: Expr::Record(members),
                });
            }
        }
        "class_declaration" | "class" | "abstract_class_declaration" => {
            outline.classes.push(class(syntax, node));
        }
        "enum_declaration" => outline.classes.push(enumeration(syntax, node)),
        "function_declaration" => outline.functions.push(function(syntax, node)),
        _ => {}
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
        result: result(syntax, node),
        at: node.start_byte(),
        ..Function::default()
    }
}

fn result(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Expr> {
    let last = children(node.child_by_field_name("body")?).pop()?;
    let value = last
        .named_child(0)
        .filter(|_| last.kind() == "return_statement")?;
    Some(expr(syntax, value))
}

fn class(syntax: &Syntax<'_>, node: Node<'_>) -> Class {
    let heritage = children(node)
        .into_iter()
        .filter(|child| child.kind() == "class_heritage");
    let body = node.child_by_field_name("body").map(children).unwrap_or_default();
    Class {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        bases: heritage.map(|base| Expr::text(syntax.text(base))).collect(),
        fields: body
            .into_iter()
            .filter_map(|member| class_member(syntax, member))
            .collect(),
        at: node.start_byte(),
        ..Class::default()
    }
}

/// A field with its value; a getter counts as one with the value that it returns.
fn class_member(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Field> {
    let name = syntax
        .field(node, "name")
        .or_else(|| syntax.field(node, "property"))?;
    let value = match node.kind() {
        "field_definition" | "public_field_definition" => node.child_by_field_name("value")?,
        "method_definition" => {
            let body = children(node.child_by_field_name("body")?);
            body.into_iter()
                .find(|line| line.kind() == "return_statement")?
                .named_child(0)?
        }
        _ => return None,
    };
    let mut field = Field::new(name, Expr::Unknown);
    field.default = Some(expr(syntax, value));
    Some(field)
}

fn enumeration(syntax: &Syntax<'_>, node: Node<'_>) -> Class {
    let body = node.child_by_field_name("body").map(children).unwrap_or_default();
    let field = |member: Node<'_>| {
        let name = syntax.field(member, "name")?;
        let mut field = Field::new(name.trim_matches(['"', '\'']), Expr::Unknown);
        field.default = member
            .child_by_field_name("value")
            .map(|value| expr(syntax, value));
        Some(field)
    };
    Class {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        bases: vec![Expr::name("enum")],
        fields: body.into_iter().filter_map(field).collect(),
        at: node.start_byte(),
        ..Class::default()
    }
}
