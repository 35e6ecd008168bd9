//! JavaScript and TypeScript: what a file takes from others, and what it offers them.

use tree_sitter::Node;

use super::{
    super::super::{
        outline::{Arg, Expr, Outline},
        syntax::{Syntax, children, unescape},
    },
    expression::expr,
};

/// Records that say of a module what a tool is called and does.
const ABOUT: &[&str] = &[
    "metadata",
    "meta",
    "definition",
    "toolDefinition",
    "toolMetadata",
    "config",
    "tool",
];

/// Names that an import brings in: a module as a whole is what `require` gives.
pub(super) fn import(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let at = node.start_byte();
    let source = syntax.field(node, "source").unwrap_or_default();
    let source = unescape(source.trim_matches(['"', '\'']));
    let clause = children(node)
        .into_iter()
        .find(|child| child.kind() == "import_clause");
    if !source.starts_with('.') {
        return;
    }
    let module = Expr::generic("require", [Expr::text(source.as_str())]);
    for part in clause.map(children).unwrap_or_default() {
        match part.kind() {
            "identifier" => {
                let of = Box::new(module.clone());
                outline.value(at, syntax.text(part), Expr::Member(of, "default".to_owned()));
            }
            "namespace_import" => {
                if let Some(name) = part.named_child(0) {
                    outline.value(at, syntax.text(name), module.clone());
                }
            }
            _ => {
                for one in children(part) {
                    let name = syntax.field(one, "name").unwrap_or_default();
                    match syntax.field(one, "alias") {
                        Some(alias) => {
                            let of = Box::new(module.clone());
                            outline.value(at, alias, Expr::Member(of, name.to_owned()));
                        }
                        None => drop(outline.imports.insert(name.to_owned(), source.clone())),
                    }
                }
            }
        }
    }
}

/// What `export default` offers has the name `default`.
pub(super) fn export(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    if let Some(value) = node.child_by_field_name("value") {
        outline.value(node.start_byte(), "default", expr(syntax, value));
    }
}

/// A module that is itself a tool: its name, its description and what it takes are among what it exports.
pub(super) fn module(syntax: &Syntax<'_>, node: Node<'_>, outline: &mut Outline) {
    let mut members: Vec<Arg> = Vec::new();
    let mut at = None;
    for statement in children(node) {
        let exported = match statement.kind() {
            "export_statement" => statement.child_by_field_name("declaration"),
            "expression_statement" => statement.named_child(0),
            _ => None,
        };
        let function = exported.and_then(|function| syntax.field(function, "name"));
        if statement.kind() == "export_statement" {
            let name = function.or_else(|| statement.child_by_field_name("value").map(|_| "default"));
            members.extend(name.map(|name| Arg::named(name, Expr::name(name))));
        }
        for one in exported.map(children).unwrap_or_default() {
            if let Some(name) = syntax.field(one, "name") {
                declared(syntax, name, one.child_by_field_name("value"), &mut members);
                at = at.or_else(|| (ABOUT.contains(&name) || name == "name").then(|| one.start_byte()));
            }
        }
        if let Some(assigned) = exported.filter(|one| one.kind() == "assignment_expression")
            && let Some(name) = syntax
                .field(assigned, "left")
                .and_then(|left| left.strip_prefix("exports."))
        {
            declared(syntax, name, assigned.child_by_field_name("right"), &mut members);
        }
    }
    let record = Expr::Record(members);
    if record.member(&["name", "toolName"]).is_some() && record.member(&["description"]).is_some() {
        outline.site(at.unwrap_or_default(), record);
    }
}

/// Something that is exported under a name, or the members of a record that tells about the tool.
fn declared(syntax: &Syntax<'_>, name: &str, value: Option<Node<'_>>, members: &mut Vec<Arg>) {
    let told = value.filter(|value| ABOUT.contains(&name) && value.kind() == "object");
    match told.map(|value| expr(syntax, value)) {
        Some(Expr::Record(told)) => members.extend(told),
        _ => members.push(Arg::named(name, Expr::name(name))),
    }
}
