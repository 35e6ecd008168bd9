//! What source code says that matters here, in one form for all languages.

use std::{collections::HashMap, rc::Rc};

use super::world::Place;

/// An expression, as far as it can be read without running it. Types are expressions too: `list[str]` is a call of `list`.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    /// Something that only running would tell.
    Unknown,
    Null,
    Bool(bool),
    Number(serde_json::Number),
    Text(String),
    /// Texts behind each other.
    Join(Vec<Expr>),
    List(Vec<Expr>),
    /// Members with names; one without a name spreads another record.
    Record(Vec<Arg>),
    Name(String),
    Member(Box<Expr>, String),
    Call(Box<Call>),
    Function(Rc<Function>),
    /// What a name stands for in a part of a file, such as an argument in the place of a parameter.
    Bound(Rc<Bound>),
}

/// An expression with the place that it is read at.
#[derive(Debug, PartialEq)]
pub(super) struct Bound {
    pub(super) place: Place,
    pub(super) expr: Expr,
}

/// Something that is called, made or marked: `f(a, b=c)`, `T { b: c }`, `@f(a)`, `#[f(b = "c")]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) callee: Expr,
    pub(super) args: Vec<Arg>,
}

/// A member of a record or an argument of a call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arg {
    pub(super) name: Option<String>,
    pub(super) value: Expr,
}

/// A function or method.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Function {
    pub(super) name: String,
    /// Their names are empty where an argument is taken apart; then `kind` is the pattern.
    pub(super) params: Vec<Field>,
    pub(super) marks: Vec<Expr>,
    pub(super) doc: Option<String>,
    /// What it returns at its end.
    pub(super) result: Option<Expr>,
    pub(super) at: usize,
    /// Where it ends; 0 where that does not matter.
    pub(super) end: usize,
}

/// A class, struct, record or enumeration.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Class {
    pub(super) name: String,
    pub(super) bases: Vec<Expr>,
    pub(super) fields: Vec<Field>,
    pub(super) marks: Vec<Expr>,
    pub(super) doc: Option<String>,
    pub(super) at: usize,
}

/// A parameter of a function or a member of a class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: Expr,
    pub(super) default: Option<Expr>,
    pub(super) marks: Vec<Expr>,
    pub(super) doc: Option<String>,
}

/// An expression with the byte it begins at.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Site {
    pub(super) at: usize,
    pub(super) it: Expr,
}

/// A name that is given a value.
#[derive(Debug)]
pub(super) struct Value {
    pub(super) name: String,
    pub(super) expr: Expr,
    pub(super) at: usize,
    /// Where the block ends in which it has the value.
    pub(super) end: usize,
}

/// A part of a file in which a pattern stands for each element of a list.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) each: Expr,
    pub(super) of: Expr,
    pub(super) at: usize,
    pub(super) end: usize,
}

/// What one file says.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Names that are given a value, in order.
    pub(super) values: Vec<Value>,
    pub(super) functions: Vec<Function>,
    pub(super) classes: Vec<Class>,
    /// Calls and records that may declare a tool.
    pub(super) sites: Vec<Site>,
    /// Calls of anything with a text: a function of the project may declare a tool with it.
    pub(super) calls: Vec<Site>,
    pub(super) loops: Vec<Loop>,
    /// Names from other files, with what is written for these files.
    pub(super) imports: HashMap<String, String>,
    /// Where the block ends that is being read.
    pub(super) block: usize,
}

impl Outline {
    /// Notes that a name is given a value.
    pub(super) fn value(&mut self, at: usize, name: impl Into<String>, expr: Expr) {
        self.values.push(Value {
            name: name.into(),
            expr,
            at,
            end: self.block,
        });
    }

    /// Notes a call or record that may declare a tool.
    pub(super) fn site(&mut self, at: usize, it: Expr) {
        self.sites.push(Site { at, it });
    }
}

impl Expr {
    pub(super) fn name(name: &str) -> Self {
        Self::Name(name.to_owned())
    }

    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn call(callee: Expr, args: Vec<Arg>) -> Self {
        Self::Call(Box::new(Call { callee, args }))
    }

    /// A type with its parameters, such as `Optional` of `str`.
    pub(super) fn generic(name: &str, of: impl IntoIterator<Item = Expr>) -> Self {
        Self::call(Self::name(name), of.into_iter().map(Arg::positional).collect())
    }

    /// The last name of a path: `tool` of `app.mcp.tool` and of a call of it.
    pub(super) fn last_name(&self) -> Option<&str> {
        match self {
            Self::Name(name) | Self::Member(_, name) => Some(name),
            Self::Call(call) => call.callee.last_name(),
            Self::Bound(bound) => bound.expr.last_name(),
            _ => None,
        }
    }

    /// What it is called with; nothing when it is no call.
    pub(super) fn args(&self) -> &[Arg] {
        match self {
            Self::Call(call) => &call.args,
            Self::Bound(bound) => bound.expr.args(),
            _ => &[],
        }
    }

    /// Its named members or arguments.
    pub(super) fn members(&self) -> &[Arg] {
        match self {
            Self::Record(members) => members,
            Self::Bound(bound) => bound.expr.members(),
            _ => self.args(),
        }
    }

    /// The member or argument with one of these names, whatever their case.
    pub(super) fn member(&self, names: &[&str]) -> Option<&Expr> {
        names.iter().find_map(|wanted| {
            let is = |arg: &&Arg| {
                arg.name
                    .as_deref()
                    .is_some_and(|name| name.eq_ignore_ascii_case(wanted))
            };
            self.members().iter().find(is).map(|arg| &arg.value)
        })
    }

    /// The arguments without names.
    pub(super) fn positional(&self) -> impl Iterator<Item = &Expr> {
        self.args()
            .iter()
            .filter(|arg| arg.name.is_none())
            .map(|arg| &arg.value)
    }
}

impl Arg {
    pub(super) fn positional(value: Expr) -> Self {
        Self { name: None, value }
    }

    pub(super) fn named(name: impl Into<String>, value: Expr) -> Self {
        Self {
            name: Some(name.into()),
            value,
        }
    }
}

impl Field {
    pub(super) fn new(name: impl Into<String>, kind: Expr) -> Self {
        Self {
            name: name.into(),
            kind,
            default: None,
            marks: Vec::new(),
            doc: None,
        }
    }

    /// A parameter by its pattern.
    pub(super) fn param(pattern: Expr) -> Self {
        match pattern {
            Expr::Name(name) => Self::new(name, Expr::Unknown),
            pattern => Self::new("", pattern),
        }
    }

    /// What an argument is taken apart with: its name, or its pattern.
    pub(super) fn pattern(&self) -> Expr {
        match self.name.as_str() {
            "" => self.kind.clone(),
            name => Expr::name(name),
        }
    }

    /// The first mark with this name.
    pub(super) fn mark(&self, names: &[&str]) -> Option<&Expr> {
        find_mark(&self.marks, names)
    }
}

/// The first mark with one of these names.
pub(super) fn find_mark<'a>(marks: &'a [Expr], names: &[&str]) -> Option<&'a Expr> {
    marks
        .iter()
        .find(|mark| mark.last_name().is_some_and(|name| names.contains(&name)))
}
