//! Python: what a file declares.

mod expression;

use tree_sitter::Node;

use self::expression::expr;
use super::super::{
    outline::{Arg, Class, Expr, Field, Function, Loop, Outline, Site},
    syntax::{Syntax, children, dedent, of_kind},
};

/// Calls that may declare tools.
const CALLS: &[&str] = &[
    "Tool",
    "add_tool",
    "tool",
    "from_function",
    "StructuredTool",
    "mount",
    "import_server",
];

/// Arguments among which the name of a tool is, where a function of the project declares it.
const FIRST: usize = 3;

/// Notes what a node says.
pub(in super::super) fn visit(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let at = node.start_byte();
    match node.kind() {
        "function_definition" => outline.functions.push(function(syntax, node)),
        "class_definition" => outline.classes.push(class(syntax, node)),
        "assignment" => {
            if let (Some(name), Some(value)) = (syntax.field(node, "left"), node.child_by_field_name("right"))
            {
                outline.value(at, name, expr(syntax, value));
            }
        }
        "call" => {
            let callee = node
                .child_by_field_name("function")
                .map(|callee| last_word(syntax.text(callee).split('(').next().unwrap_or_default()));
            let list = node
                .child_by_field_name("arguments")
                .map(children)
                .unwrap_or_default();
            let text = |arg: &Node<'_>| arg.kind().contains("string");
            if list.len() > 1 && list.iter().take(FIRST).any(text) {
                outline.calls.push(Site {
                    at,
                    it: expr(syntax, node),
                });
            }
            if callee.is_some_and(|callee| CALLS.contains(&callee)) {
                outline.site(at, expr(syntax, node));
            }
        }
        "for_statement" | "for_in_clause" => {
            // A clause is a part of what is said of each element.
            let whole = node
                .parent()
                .filter(|_| node.kind() == "for_in_clause")
                .unwrap_or(node);
            outline.loops.push(Loop {
                each: kind(syntax, node.child_by_field_name("left")),
                of: kind(syntax, node.child_by_field_name("right")),
                at: whole.start_byte(),
                end: whole.end_byte(),
            });
        }
        "dictionary" => {
            let has_name = of_kind(node, "pair").into_iter().any(|pair| {
                syntax
                    .field(pair, "key")
                    .is_some_and(|key| key.len() == 6 && key.contains("name"))
            });
            if has_name {
                outline.site(at, expr(syntax, node));
            }
        }
        "pair" => by_name(syntax, node, outline),
        _ => {}
    }
}

/// A record of tools by their names.
fn by_name(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let value = node
        .child_by_field_name("value")
        .filter(|value| value.kind() == "dictionary");
    let has = |key: &str| {
        let pairs = value.map(|value| of_kind(value, "pair")).unwrap_or_default();
        let is = |pair: Node<'_>| {
            syntax
                .field(pair, "key")
                .is_some_and(|text| text.trim_matches(['"', '\'']) == key)
        };
        pairs.into_iter().any(is)
    };
    if !has("description") || has("name") || !(has("input_schema") || has("inputSchema")) {
        return;
    }
    let name = kind(syntax, node.child_by_field_name("key"));
    if let (Expr::Record(mut members), Expr::Text(_)) = (kind(syntax, value), &name) {
        members.push(Arg::named("name", name));
        outline.site(node.start_byte(), Expr::Record(members));
    }
}

/// The name behind the last dot.
fn last_word(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn function(syntax: &Syntax<'_>, node: Node<'_>) -> Function {
    let params = node
        .child_by_field_name("parameters")
        .map(children)
        .unwrap_or_default();
    Function {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        params: params
            .into_iter()
            .filter_map(|param| parameter(syntax, param))
            .collect(),
        marks: decorators(syntax, node),
        doc: doc(syntax, node),
        result: result(syntax, node),
        at: node.start_byte(),
        end: node.end_byte(),
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
    let bases = node
        .child_by_field_name("superclasses")
        .map(children)
        .unwrap_or_default();
    let body = node.child_by_field_name("body").map(children).unwrap_or_default();
    let assignments = body
        .into_iter()
        .filter(|line| line.kind() == "expression_statement")
        .filter_map(|line| line.named_child(0));
    let field = |line: Node<'_>| {
        let name = syntax
            .field(line, "left")
            .filter(|_| line.kind() == "assignment")?;
        let mut field = Field::new(name, kind(syntax, line.child_by_field_name("type")));
        field.default = line.child_by_field_name("right").map(|value| expr(syntax, value));
        Some(field)
    };
    Class {
        name: syntax.field(node, "name").unwrap_or_default().to_owned(),
        bases: bases.into_iter().map(|base| expr(syntax, base)).collect(),
        fields: assignments.filter_map(field).collect(),
        marks: decorators(syntax, node),
        doc: doc(syntax, node),
        at: node.start_byte(),
    }
}

fn decorators(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Expr> {
    let around = node
        .parent()
        .filter(|parent| parent.kind() == "decorated_definition");
    let all = around
        .map(|parent| of_kind(parent, "decorator"))
        .unwrap_or_default();
    all.into_iter()
        .filter_map(|decorator| decorator.named_child(0))
        .map(|inner| expr(syntax, inner))
        .collect()
}

fn doc(syntax: &Syntax<'_>, node: Node<'_>) -> Option<String> {
    let first = node.child_by_field_name("body")?.named_child(0)?;
    match expr(
        syntax,
        first
            .named_child(0)
            .filter(|inner| inner.kind().contains("string"))?,
    ) {
        Expr::Text(text) => Some(dedent(&text)),
        _ => None,
    }
}

fn parameter(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Field> {
    let name = match node.kind() {
        "identifier" => syntax.text(node),
        "typed_parameter" => syntax.text(node.named_child(0).filter(|name| name.kind() == "identifier")?),
        "default_parameter" | "typed_default_parameter" => syntax.field(node, "name")?,
        _ => return None,
    };
    let mut field = Field::new(name, kind(syntax, node.child_by_field_name("type")));
    field.default = node.child_by_field_name("value").map(|value| expr(syntax, value));
    Some(field)
}

fn kind(syntax: &Syntax<'_>, node: Option<Node<'_>>) -> Expr {
    node.map_or(Expr::Unknown, |node| expr(syntax, node))
}
