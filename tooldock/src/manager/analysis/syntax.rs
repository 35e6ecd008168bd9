//! Parses one file within limits, and reads the nodes of its syntax tree.

use std::{cell::Cell, ops::ControlFlow, time::Instant};

use tree_sitter::{Node, ParseOptions, Parser};

use super::{
    Language,
    outline::{Expr, Outline},
};

/// Expressions within each other that are followed.
const DEEPEST: u32 = 120;

/// Expressions that are made of one file, long texts counting as more. What stands in many calls around each other is part of every one.
const MOST: usize = 1_000_000;
/// Bytes of a text that count as much as an expression.
const WEIGHT: usize = 64;

/// Nodes that are visited between two looks at the clock.
const BETWEEN_LOOKS: usize = 1_024;

/// The text of a file, how deep it is being read, and how much has been made of it.
#[derive(Debug)]
pub(super) struct Syntax<'a> {
    text: &'a str,
    depth: Cell<u32>,
    made: Cell<usize>,
}

/// What a file says; nothing when it is not parsed before `end`.
pub(super) fn outline(language: Language, path: &str, text: &str, end: Instant) -> Option<Outline> {
    let mut parser = Parser::new();
    parser.set_language(&language.grammar(path)).ok()?;
    let mut late = |_: &tree_sitter::ParseState| {
        if Instant::now() > end {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut late);
    let mut rest = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut rest, None, Some(options))?;
    let syntax = Syntax {
        text,
        depth: Cell::new(0),
        made: Cell::new(0),
    };
    let mut outline = Outline::default();
    let visit = language.visit();
    let mut blocks = vec![usize::MAX];
    let mut cursor = tree.walk();
    let mut visited = 0_usize;
    loop {
        visited += 1;
        if visited.is_multiple_of(BETWEEN_LOOKS) && Instant::now() > end {
            return None;
        }
        let node = cursor.node();
        while blocks.last().is_some_and(|end| *end <= node.start_byte()) {
            blocks.pop();
        }
        outline.block = blocks.last().copied().unwrap_or(usize::MAX);
        visit(&syntax, node, &mut outline);
        if language.is_block(node.kind()) {
            blocks.push(node.end_byte());
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(outline);
            }
        }
    }
}

impl<'a> Syntax<'a> {
    /// The text of a node.
    pub(super) fn text(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a child with a name.
    pub(super) fn field(&self, node: Node<'_>, name: &str) -> Option<&'a str> {
        node.child_by_field_name(name).map(|child| self.text(child))
    }

    /// What `read` makes of the child in the role `name`.
    pub(super) fn child(&self, node: Node<'_>, name: &str, read: impl Fn(&Self, Node<'_>) -> Expr) -> Expr {
        node.child_by_field_name(name)
            .map_or(Expr::Unknown, |child| read(self, child))
    }

    /// What `read` makes of the first child.
    pub(super) fn first(&self, node: Node<'_>, read: impl Fn(&Self, Node<'_>) -> Expr) -> Expr {
        children(node)
            .first()
            .map_or(Expr::Unknown, |child| read(self, *child))
    }

    /// What `read` makes of `node`, unless it lies too deep within others, or too much has been made of the file.
    pub(super) fn deeper(&self, node: Node<'_>, read: impl FnOnce() -> Expr) -> Expr {
        let text = match node.kind().contains("string") {
            true => node.byte_range().len() / WEIGHT,
            false => 0,
        };
        let made = self.made.get() + 1 + text;
        if self.depth.get() >= DEEPEST || made > MOST {
            return Expr::Unknown;
        }
        self.made.set(made);
        self.depth.set(self.depth.get() + 1);
        let expr = read();
        self.depth.set(self.depth.get() - 1);
        expr
    }

    /// The comments and attributes of certain kinds right before a node, in order.
    pub(super) fn before<'t>(&self, node: Node<'t>, kinds: &[&str]) -> Vec<Node<'t>> {
        let mut found = Vec::new();
        let mut next = node.prev_named_sibling();
        while let Some(sibling) = next.filter(|sibling| kinds.contains(&sibling.kind())) {
            found.push(sibling);
            next = sibling.prev_named_sibling();
        }
        found.reverse();
        found
    }
}

/// The children that say something, without comments.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !child.kind().contains("comment"))
        .collect()
}

/// The children in the role `name`.
pub(super) fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).collect()
}

/// The children of one kind.
pub(super) fn of_kind<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    children(node)
        .into_iter()
        .filter(|child| child.kind() == kind)
        .collect()
}

/// A number as all these languages write it, or something unknown.
pub(super) fn number(text: &str) -> Expr {
    let plain: String = text.chars().filter(|c| *c != '_').collect();
    let plain = plain.trim_end_matches(['L', 'f', 'd', 'F', 'D', 'm', 'u', 'l', 'n']);
    serde_json::from_str(plain).map_or(Expr::Unknown, Expr::Number)
}

/// The text within a literal, with the escapes that all these languages share.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r' | '\n') | None => {}
            Some('u') => out.extend(code_point(&mut chars)),
            Some(other) => out.push(other),
        }
    }
    out
}

fn code_point(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let rest = chars.as_str();
    let (digits, used) = match rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((digits, _)) => (digits, digits.len() + 2),
        None => (rest.get(..4)?, 4),
    };
    let code = u32::from_str_radix(digits, 16).ok()?;
    *chars = rest.get(used..)?.chars();
    char::from_u32(code)
}

/// A text in several lines as one: what lines have in common at their starts is taken away.
pub(super) fn dedent(text: &str) -> String {
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common = lines
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let cut = |(at, line): (usize, &str)| {
        if at == 0 {
            line.trim()
        } else {
            line.get(common..).unwrap_or("").trim_end()
        }
        .to_owned()
    };
    text.lines()
        .enumerate()
        .map(cut)
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read() {
        assert_eq!(unescape(r#"a\n\"b\"\u00e9\u{1f600}\\"#), "a\n\"b\"é😀\\");
        assert_eq!(unescape(r"\u12"), "12");
        assert_eq!(number("1_000"), Expr::Number(1000.into()));
        assert_eq!(
            dedent("One.\n\n    Two.\n      Three.\n    "),
            "One.\n\nTwo.\n  Three."
        );
    }

    #[test]
    fn hostile_nesting_ends() {
        let deep = format!("x = {}1{}", "[".repeat(20_000), "]".repeat(20_000));
        let end = Instant::now() + std::time::Duration::from_secs(20);
        assert!(outline(Language::Python, "a.py", &deep, end).is_some());
        let late = "x = 1\n".repeat(200_000);
        assert!(
            outline(Language::Python, "a.py", &late, Instant::now()).is_none(),
            "a limit of time"
        );
    }
}
