//! What names stand for in a part of a file: parameters within a function, and elements of a list within a loop.

use std::{ops::Range, rc::Rc};

use super::{
    effort::Effort,
    outline::{Arg, Bound, Call, Expr, Function},
    world::{Place, World},
};

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

    /// An expression with what its names stand for in their places; its parts are unknown where that would be too much.
    pub(super) fn fill(&self, world: &World, expr: &Expr, from: Place, effort: Effort<'_>) -> Expr {
        let Some(effort) = effort.deeper() else {
            return Expr::Unknown;
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
            Expr::Text(text) if !effort.affords(text) => Expr::Unknown,
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

pub(super) fn bound(place: Place, expr: Expr) -> Rc<Bound> {
    Rc::new(Bound { place, expr })
}
