//! The elements of lists, and what functions of the project give for their arguments.

use std::rc::Rc;

use super::{
    effort::Effort,
    outline::{Arg, Bound, Call, Expr},
    scope::{Scope, bound},
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
                        (at, Expr::Call(call)) if self.gives_list(call, at, effort) => {
                            all.extend(self.given(call, at, effort));
                        }
                        (_, Expr::Member(..)) => match self.elements(item, place, effort) {
                            none if none.is_empty() => all.push(bound(place, item.clone())),
                            more => all.extend(more),
                        },
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
            // An object that is made of a list has this list: `new Client(endpoints).endpoints`.
            Expr::Member(object, _) => {
                if let (place, Expr::Call(call)) = self.resolve(object, place) {
                    let mut lists = call
                        .args
                        .iter()
                        .map(|arg| self.elements(&arg.value, place, effort));
                    all = lists.find(|list| !list.is_empty()).unwrap_or_default();
                }
            }
            _ => {}
        }
        all.truncate(ELEMENTS);
        all
    }

    /// Whether a function of the project gives a list.
    fn gives_list(&self, call: &Call, from: Place, effort: Effort<'_>) -> bool {
        let given = self.applied(call, from, effort);
        given.is_some_and(|(place, given)| matches!(self.resolve(&given, place).1, Expr::List(_)))
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
