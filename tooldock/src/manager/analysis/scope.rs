//! What names stand for in a part of a file: parameters within a function, and elements of a list within a loop.

use std::{ops::Range, rc::Rc};

use super::{
    effort::Effort,
    outline::{Arg, Bound, Call, Expr, Function},
    world::{Place, World},
};

/// Elements of one list that are looked at.
const ELEMENTS: usize = 500;

/// Calls of a list that give its elements, perhaps fewer or in another order.
const SAME: &[&str] = &[
    "filter",
    "slice",
    "sort",
    "sorted",
    "toSorted",
    "reverse",
    "flat",
    "list",
    "tuple",
    "from",
    "concat",
    "values",
    "enumerate",
];

/// Names within a part of a module.
#[derive(Debug)]
pub(super) struct Scope {
    module: usize,
    within: Range<usize>,
    names: Vec<(String, Rc<Bound>)>,
}

impl Scope {
    pub(super) fn new(module: usize, within: Range<usize>) -> Self {
        Self {
            module,
            within,
            names: Vec::new(),
        }
    }

    /// Lets a pattern stand for a value.
    pub(super) fn bind(&mut self, world: &World, pattern: &Expr, value: &Rc<Bound>) {
        match pattern {
            Expr::Name(name) => self.names.push((name.clone(), Rc::clone(value))),
            Expr::Record(members) => {
                for member in members {
                    if let Some(name) = &member.name {
                        let of = Box::new(Expr::Bound(Rc::clone(value)));
                        let expr = Expr::Member(of, name.clone());
                        self.bind(world, &member.value, &bound(value.place, expr));
                    }
                }
            }
            Expr::List(patterns) => {
                let (place, of) = world.resolve(&value.expr, value.place);
                for (index, pattern) in patterns.iter().enumerate() {
                    let item = match of {
                        Expr::List(items) => items.get(index).cloned(),
                        _ => None,
                    };
                    self.bind(world, pattern, &bound(place, item.unwrap_or(Expr::Unknown)));
                }
            }
            _ => {}
        }
    }

    /// The arguments of a call as the parameters of the function that is called.
    pub(super) fn of_call(
        world: &World,
        (place, function): (Place, &Function),
        (from, call): (Place, &Call),
    ) -> Self {
        let mut scope = Self::new(place.module, function.at..function.end);
        let own = function.params.first().filter(|first| first.name == "self");
        let params = function.params.iter().skip(usize::from(own.is_some()));
        let mut positional = call.args.iter().filter(|arg| arg.name.is_none());
        for param in params {
            let named = call
                .args
                .iter()
                .find(|arg| arg.name.is_some() && arg.name.as_ref() == Some(&param.name));
            let Some(arg) = named.or_else(|| positional.next()) else {
                continue;
            };
            let value = bound(from, arg.value.clone());
            scope.bind(world, &param.pattern(), &value);
        }
        scope
    }

    /// Whether an expression says something else for other values of these names.
    pub(super) fn is_in(&self, world: &World, expr: &Expr, from: Place, effort: Effort<'_>) -> bool {
        let Some(effort) = effort.deeper() else {
            return false;
        };
        let within = |expr: &Expr| self.is_in(world, expr, from, effort);
        match expr {
            Expr::Name(name) => match self.stands_for(world, name, from) {
                Some(Named::Bound(_)) => true,
                Some(Named::Local(local)) => within(local),
                None => false,
            },
            Expr::Member(of, _) => within(of),
            Expr::Join(parts) => parts.iter().any(within),
            Expr::Call(call) => within(&call.callee) || call.args.iter().any(|arg| within(&arg.value)),
            _ => false,
        }
    }

    /// An expression with what its names stand for in their places; unchanged where that would be too much.
    pub(super) fn fill(&self, world: &World, expr: &Expr, from: Place, effort: Effort<'_>) -> Expr {
        let Some(effort) = effort.deeper() else {
            return expr.clone();
        };
        let fill = |expr: &Expr| self.fill(world, expr, from, effort);
        let args = |args: &[Arg]| {
            let arg = |arg: &Arg| Arg {
                name: arg.name.clone(),
                value: fill(&arg.value),
            };
            args.iter().map(arg).collect()
        };
        match expr {
            Expr::Name(name) => match self.stands_for(world, name, from) {
                Some(Named::Bound(bound)) => Expr::Bound(Rc::clone(bound)),
                Some(Named::Local(local)) => fill(local),
                None => expr.clone(),
            },
            Expr::Member(of, name) => Expr::Member(Box::new(fill(of)), name.clone()),
            Expr::Join(parts) => Expr::Join(parts.iter().map(fill).collect()),
            Expr::List(items) => Expr::List(items.iter().map(fill).collect()),
            Expr::Record(members) => Expr::Record(args(members)),
            Expr::Call(call) => Expr::call(fill(&call.callee), args(&call.args)),
            other => other.clone(),
        }
    }

    fn stands_for<'a>(&'a self, world: &'a World, name: &str, from: Place) -> Option<Named<'a>> {
        if let Some((_, bound)) = self.names.iter().rev().find(|(known, _)| known == name) {
            return Some(Named::Bound(bound));
        }
        let (place, local) = world.value(name, from)?;
        let here = place.module == self.module && self.within.contains(&place.at);
        here.then_some(Named::Local(local))
    }
}

/// What a name stands for within a scope.
#[derive(Debug)]
enum Named<'a> {
    Bound(&'a Rc<Bound>),
    /// A value that is given within the scope.
    Local(&'a Expr),
}

impl World {
    /// What a function of the project gives for certain arguments.
    pub(super) fn applied(&self, call: &Call, from: Place, effort: Effort<'_>) -> Option<(Place, Expr)> {
        let (place, function) = self.called(call, from)?;
        let result = function.result.as_ref().filter(|_| !function.params.is_empty())?;
        let scope = Scope::of_call(self, (place, function), (from, call));
        let at = function.end.max(place.at);
        let place = Place { at, ..place };
        Some((place, scope.fill(self, result, place, effort.deeper()?)))
    }

    /// The elements of a list, or the values of a record, as far as they can be known.
    pub(super) fn elements(&self, of: &Expr, from: Place, effort: Effort<'_>) -> Vec<Rc<Bound>> {
        let Some(effort) = effort.deeper() else {
            return Vec::new();
        };
        let (place, of) = self.resolve(of, from);
        let mut all: Vec<Rc<Bound>> = Vec::new();
        match of {
            Expr::List(items) => {
                for item in items.iter().take(ELEMENTS) {
                    // A list in a list by its name is one that is spread.
                    match self.resolve(item, place) {
                        (_, Expr::List(_)) if !matches!(item, Expr::List(_)) => {
                            all.extend(self.elements(item, place, effort));
                        }
                        _ => all.push(bound(place, item.clone())),
                    }
                }
            }
            Expr::Record(members) => {
                for member in members.iter().take(ELEMENTS) {
                    match member.name {
                        Some(_) => all.push(bound(place, member.value.clone())),
                        None => all.extend(self.elements(&member.value, place, effort)),
                    }
                }
            }
            Expr::Call(call) => all = self.given(call, place, effort),
            _ => {}
        }
        all.truncate(ELEMENTS);
        all
    }

    /// The elements of what a call gives.
    fn given(&self, call: &Call, from: Place, effort: Effort<'_>) -> Vec<Rc<Bound>> {
        let of = match &call.callee {
            Expr::Member(of, _) => Some(&**of),
            _ => None,
        };
        let first = call.args.first().map(|arg| &arg.value);
        match (call.callee.last_name().unwrap_or_default(), of, first) {
            ("entries" | "items", of, first) => {
                let Some((place, Expr::Record(members))) =
                    first.or(of).map(|record| self.resolve(record, from))
                else {
                    return Vec::new();
                };
                let pair = |member: &Arg| {
                    let name = Expr::text(member.name.as_deref()?);
                    Some(bound(place, Expr::List(vec![name, member.value.clone()])))
                };
                members.iter().take(ELEMENTS).filter_map(pair).collect()
            }
            ("map" | "flatMap", Some(of), Some(Expr::Function(function))) => {
                let (Some(result), Some(param)) = (&function.result, function.params.first()) else {
                    return Vec::new();
                };
                let place = Place {
                    at: function.end,
                    ..from
                };
                let each = |element: Rc<Bound>| {
                    let mut scope = Scope::new(from.module, function.at..function.end);
                    scope.bind(self, &param.pattern(), &element);
                    bound(place, scope.fill(self, result, place, effort))
                };
                self.elements(of, from, effort).into_iter().map(each).collect()
            }
            (name, of, first) if SAME.contains(&name) => {
                let lists = of.into_iter().chain(first);
                lists.flat_map(|list| self.elements(list, from, effort)).collect()
            }
            _ => match self.applied(call, from, effort) {
                Some((place, given)) => self.elements(&given, place, effort),
                None => Vec::new(),
            },
        }
    }
}

pub(super) fn bound(place: Place, expr: Expr) -> Rc<Bound> {
    Rc::new(Bound { place, expr })
}
