//! All outlines together: what a name stands for.

use std::collections::HashMap;

use super::{
    Language,
    outline::{Class, Expr, Function, Outline},
};

/// Names that are followed from one to the next.
const STEPS: u32 = 48;

/// What one file says, and which file it is.
#[derive(Debug)]
pub(super) struct Module {
    pub(super) path: String,
    pub(super) language: Language,
    pub(super) outline: Outline,
    /// Where its lines end.
    pub(super) lines: Vec<usize>,
}

impl Module {
    /// The line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|end| *end < at) + 1
    }
}

/// Where a name stands: in which module, at which byte.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) module: usize,
    pub(super) at: usize,
}

/// Where the things of one name are.
#[derive(Debug, Default)]
struct Found {
    values: Vec<(Place, usize)>,
    functions: Vec<(Place, usize)>,
    classes: Vec<(Place, usize)>,
}

/// All modules, and an index of their names.
#[derive(Debug)]
pub(super) struct World {
    pub(super) modules: Vec<Module>,
    names: HashMap<String, Found>,
}

impl World {
    pub(super) fn new(modules: Vec<Module>) -> Self {
        let mut names: HashMap<String, Found> = HashMap::new();
        for (module, of) in modules.iter().enumerate() {
            for (index, site) in of.outline.values.iter().enumerate() {
                let place = Place { module, at: site.at };
                names
                    .entry(site.it.0.clone())
                    .or_default()
                    .values
                    .push((place, index));
            }
            for (index, function) in of.outline.functions.iter().enumerate() {
                let place = Place {
                    module,
                    at: function.at,
                };
                names
                    .entry(function.name.clone())
                    .or_default()
                    .functions
                    .push((place, index));
            }
            for (index, class) in of.outline.classes.iter().enumerate() {
                let place = Place { module, at: class.at };
                names
                    .entry(class.name.clone())
                    .or_default()
                    .classes
                    .push((place, index));
            }
        }
        Self { modules, names }
    }

    /// The value that a name has at a place: in the same file the one given last before, else the one of the nearest file.
    pub(super) fn value(&self, name: &str, from: Place) -> Option<(Place, &Expr)> {
        let (place, index) = self.nearest(&self.names.get(name)?.values, from)?;
        Some((place, &self.modules[place.module].outline.values[index].it.1))
    }

    pub(super) fn function(&self, name: &str, from: Place) -> Option<(Place, &Function)> {
        let (place, index) = self.nearest(&self.names.get(name)?.functions, from)?;
        Some((place, &self.modules[place.module].outline.functions[index]))
    }

    pub(super) fn class(&self, name: &str, from: Place) -> Option<(Place, &Class)> {
        let (place, index) = self.nearest(&self.names.get(name)?.classes, from)?;
        Some((place, &self.modules[place.module].outline.classes[index]))
    }

    fn nearest(&self, all: &[(Place, usize)], from: Place) -> Option<(Place, usize)> {
        let here = || all.iter().filter(|(place, _)| place.module == from.module);
        let before = here().rfind(|(place, _)| place.at <= from.at);
        let near = || {
            all.iter()
                .max_by_key(|(place, _)| self.common(place.module, from.module))
        };
        before.or_else(|| here().next()).or_else(near).copied()
    }

    /// How many characters two paths begin with alike.
    fn common(&self, one: usize, other: usize) -> usize {
        let [one, other] = [one, other].map(|module| self.modules[module].path.bytes());
        one.zip(other).take_while(|(one, other)| one == other).count()
    }

    /// What an expression stands for, names and members followed; itself where that cannot be known.
    pub(super) fn resolve<'a>(&'a self, expr: &'a Expr, from: Place) -> (Place, &'a Expr) {
        let mut left = STEPS;
        self.follow(expr, from, &mut left)
    }

    fn follow<'a>(&'a self, mut expr: &'a Expr, mut place: Place, left: &mut u32) -> (Place, &'a Expr) {
        while let Some(rest) = left.checked_sub(1) {
            *left = rest;
            match self.step(expr, place, left) {
                Some((next, found)) if !std::ptr::eq(found, expr) => (place, expr) = (next, found),
                _ => break,
            }
        }
        (place, expr)
    }

    fn step<'a>(&'a self, expr: &'a Expr, from: Place, left: &mut u32) -> Option<(Place, &'a Expr)> {
        match expr {
            Expr::Name(name) => self.value(name, from),
            Expr::Member(of, name) => self.member(of, name, from, left),
            Expr::Call(call) => match (&call.callee, call.callee.last_name()?) {
                // These give what they are given.
                (_, "freeze" | "dedent" | "assertType" | "values") => {
                    call.args.first().map(|arg| (from, &arg.value))
                }
                (Expr::Name(name), _) => self.returned(name, from),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a function gives that ends with `return`.
    fn returned<'a>(&'a self, name: &str, from: Place) -> Option<(Place, &'a Expr)> {
        let (place, function) = match self.value(name, from) {
            Some((place, Expr::Function(function))) => (place, &**function),
            _ => self.function(name, from)?,
        };
        let place = Place {
            at: function.at.max(place.at),
            ..place
        };
        function.result.as_ref().map(|result| (place, result))
    }

    /// A member of a record or of an enumeration; `.value` of a member is itself, and what another module offers is a plain name.
    fn member<'a>(
        &'a self,
        of: &'a Expr,
        name: &str,
        from: Place,
        left: &mut u32,
    ) -> Option<(Place, &'a Expr)> {
        if name == "value" && matches!(of, Expr::Member(..)) {
            return Some((from, of));
        }
        let (place, of) = self.follow(of, from, left);
        match of {
            Expr::Record(_) => of.member(&[name]).map(|value| (place, value)),
            Expr::Name(class) => match self.class(class, place) {
                Some((place, class)) => {
                    let field = class.fields.iter().find(|field| field.name == name)?;
                    field.default.as_ref().map(|value| (place, value))
                }
                None => self.value(name, from),
            },
            Expr::Unknown | Expr::Call(_) => self.value(name, from),
            _ => None,
        }
    }
}
