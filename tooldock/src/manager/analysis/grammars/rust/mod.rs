//! Rust: what a file declares.

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
        "function_item" | "function_signature_item" => outline.functions.push(function(syntax, node)),
        "struct_item" | "enum_item" => outline.classes.push(class(syntax, node)),
        "const_item" | "static_item" | "let_declaration" => {
            let name = syntax
                .field(node, "name")
                .or_else(|| syntax.field(node, "pattern"));
            if let (Some(name), Some(value)) = (name, node.child_by_field_name("value")) {
                outline.value(at, name, expr(syntax, value));
            }
        }
        "call_expression"
            if syntax
                .field(node, "function")
                .is_some_and(|callee| callee.ends_with("Tool::new")) =>
        {
            outline.site(at, expr(syntax, node));
        }
        "struct_expression"
            if syntax
                .field(node, "name")
                .is_some_and(|name| name.rsplit("::").next() == Some("Tool")) =>
        {
            outline.site(at, expr(syntax, node));
        }
        _ => {}
    }
}

fn function(syntax: &Syntax<'_>, node: Node<'_>) -> Function {
    let (marks, doc) = before(syntax, node);
    let params = node
        .child_by_field_name("parameters")
        .map(|list| of_kind(list, "parameter"))
        .unwrap_or_default();
    let param = |param: Node<'_>| {
        let (marks, doc) = before(syntax, param);
        let kind = param
            .child_by_field_name("type")
            .map_or(Expr::Unknown, |kind| expr(syntax, kind));
        let name = syntax.field(param, "pattern").unwrap_or_default();
        Field {
            marks,
            doc,
            ..Field::new(name, kind)
        }
    };
    Function {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        params: params.into_iter().map(param).collect(),
        marks,
        doc,
        result: None,
        at: node.start_byte(),
        end: node.end_byte(),
    }
}

fn class(syntax: &Syntax<'_>, node: Node<'_>) -> Class {
    let (marks, doc) = before(syntax, node);
    let is_enum = node.kind() == "enum_item";
    let body = node.child_by_field_name("body").map(children).unwrap_or_default();
    let field = |line: Node<'_>| {
        let name = syntax
            .field(line, "name")
            .filter(|_| line.kind() != "attribute_item")?;
        let (marks, doc) = before(syntax, line);
        let kind = line
            .child_by_field_name("type")
            .map_or(Expr::Unknown, |kind| expr(syntax, kind));
        Some(Field {
            marks,
            doc,
            ..Field::new(name, kind)
        })
    };
    Class {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        bases: is_enum.then(|| Expr::name("enum")).into_iter().collect(),
        fields: body.into_iter().filter_map(field).collect(),
        marks,
        doc,
        at: node.start_byte(),
    }
}

/// The attributes and the documentation in front of an item.
fn before(syntax: &Syntax<'_>, node: Node<'_>) -> (Vec<Expr>, Option<String>) {
    let (mut marks, mut doc) = (Vec::new(), Vec::new());
    for part in syntax.before(node, &["attribute_item", "line_comment"]) {
        let text = syntax.text(part);
        if let Some(line) = text.strip_prefix("///") {
            doc.push(line.trim());
        } else if part.kind() == "attribute_item" {
            marks.extend(children(part).first().map(|attribute| mark(syntax, *attribute)));
        }
    }
    (marks, Some(doc.join("\n")).filter(|doc| !doc.is_empty()))
}

/// An attribute; of its tokens only `name = value` and lone values count.
fn mark(syntax: &Syntax<'_>, node: Node<'_>) -> Expr {
    let path = node.named_child(0).map_or("", |path| syntax.text(path));
    let name = Expr::name(path.rsplit("::").next().unwrap_or(path));
    let Some(tokens) = node.child_by_field_name("arguments") else {
        return name;
    };
    let tokens = children(tokens);
    let mut args = Vec::new();
    let mut rest = tokens.as_slice();
    while let [token, after @ ..] = rest {
        rest = after;
        let value = expr(syntax, *token);
        let assigns = token.next_sibling().is_some_and(|next| syntax.text(next) == "=");
        match (&value, after) {
            (Expr::Name(key), [given, behind @ ..]) if assigns => {
                let is_macro = behind.first().filter(|tokens| tokens.kind() == "token_tree");
                let given = match is_macro {
                    Some(tokens) => Expr::Join(
                        children(*tokens)
                            .into_iter()
                            .map(|part| expr(syntax, part))
                            .collect(),
                    ),
                    None => expr(syntax, *given),
                };
                args.push(Arg::named(key.clone(), given));
                rest = behind;
            }
            _ => args.push(Arg::positional(value)),
        }
    }
    Expr::call(name, args)
}
