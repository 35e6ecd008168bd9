//! Declarations in loops and in functions of the project: one for each element, and for each call.

use super::{
    super::{
        effort::{Effort, steps, steps_of_many},
        outline::{Arg, Expr, Field, Function},
        scope::{Scope, bound},
        world::Place,
    },
    Finder,
};

/// What a method calls its own object.
const OWN: &[&str] = &["self", "cls"];
/// Functions and loops that are looked through for the ones around a site.
const AROUND: usize = 500;

/// A declaration that one of the project's own loops or functions makes.
#[derive(Debug)]
pub(super) struct Expanded {
    pub(super) site: Expr,
    /// Where its author has it: the element, or the call.
    pub(super) told: Place,
}

impl Finder<'_> {
    /// The declarations that a site makes; nothing when it makes just the one that it is.
    pub(super) fn expanded(&mut self, site: &Expr, place: Place) -> Option<Vec<Expanded>> {
        if self.left == 0 {
            return None;
        }
        let name = site
            .member(&["name", "toolName"])
            .or_else(|| site.positional().next())?;
        let mut all = self
            .of_loop(name, site, place)
            .or_else(|| self.of_function(name, site, place))?;
        all.truncate(self.left);
        self.left -= all.len();
        Some(all)
    }

    fn of_loop(&self, name: &Expr, site: &Expr, place: Place) -> Option<Vec<Expanded>> {
        let loops = &self.world.modules[place.module].outline.loops;
        let until = loops.partition_point(|one| one.at <= place.at);
        // The innermost one that the name depends on.
        let around = loops[..until]
            .iter()
            .rev()
            .take(AROUND)
            .filter(|one| (one.at..one.end).contains(&place.at));
        for one in around {
            let mut probe = Scope::new(place.module, one.at..one.end);
            probe.bind(self.world, &one.each, &bound(place, Expr::Unknown));
            let left = steps();
            if !probe.is_in(self.world, name, place, Effort::new(&left)) {
                continue;
            }
            let at = Place { at: one.at, ..place };
            let elements = self.world.elements(&one.of, at, Effort::new(&left));
            let left = steps_of_many();
            let fill = |element| {
                let mut scope = Scope::new(place.module, one.at..one.end);
                scope.bind(self.world, &one.each, &element);
                Expanded {
                    site: scope.fill(self.world, site, place, Effort::new(&left)),
                    told: self.world.resolve(&element.expr, element.place).0,
                }
            };
            let all: Vec<Expanded> = elements.into_iter().map(fill).collect();
            return (!all.is_empty()).then_some(all);
        }
        None
    }

    /// A site whose name is a parameter of the function around it is one for each call of this function.
    fn of_function(&self, name: &Expr, site: &Expr, place: Place) -> Option<Vec<Expanded>> {
        let outline = &self.world.modules[place.module].outline;
        let until = outline
            .functions
            .partition_point(|function| function.at <= place.at);
        let function = outline.functions[..until]
            .iter()
            .rev()
            .take(AROUND)
            .find(|function| place.at < function.end && !function.name.is_empty())?;
        let mut probe = Scope::new(place.module, function.at..function.end);
        let params = function
            .params
            .iter()
            .filter(|param| !OWN.contains(&param.name.as_str()));
        for param in params.map(Field::pattern) {
            probe.bind(self.world, &param, &bound(place, Expr::Unknown));
        }
        let steps = steps();
        if !probe.is_in(self.world, name, place, Effort::new(&steps)) {
            return None;
        }
        let all = match self.of_record(function, site, place) {
            Some(one) => vec![one],
            None => self.of_calls(function, site, place),
        };
        // What is a member of a parameter can be known by its name all the same; a parameter alone cannot.
        (!all.is_empty() || matches!(name, Expr::Name(_))).then_some(all)
    }

    /// A site in a method of a record, whose name this record has: `{ name: "list", register(server, { name }) { server.tool(name, …) } }`.
    fn of_record(&self, function: &Function, site: &Expr, place: Place) -> Option<Expanded> {
        let sites = &self.world.modules[place.module].outline.sites;
        let until = sites.partition_point(|one| one.at <= function.at);
        let has = |record: &Expr| {
            let is =
                |member: &Arg| matches!(&member.value, Expr::Function(method) if method.at == function.at);
            matches!(record, Expr::Record(members) if members.iter().any(is))
        };
        let record = sites[..until]
            .iter()
            .rev()
            .take(AROUND)
            .find(|one| has(&one.it))?;
        let told = Place {
            at: record.at,
            ..place
        };
        let mut scope = Scope::new(place.module, function.at..function.end);
        for param in function.params.iter().map(Field::pattern) {
            if matches!(param, Expr::Record(_)) {
                scope.bind(self.world, &param, &bound(told, record.it.clone()));
            }
        }
        let site = scope.fill(self.world, site, place, Effort::new(&steps()));
        Some(Expanded { site, told })
    }

    fn of_calls(&self, function: &Function, site: &Expr, place: Place) -> Vec<Expanded> {
        let left = steps_of_many();
        let fill = |(told, call): (Place, &Expr)| {
            let Expr::Call(call) = call else { return None };
            let scope = Scope::of_call(self.world, (place, function), (told, call));
            Some(Expanded {
                site: scope.fill(self.world, site, place, Effort::new(&left)),
                told,
            })
        };
        let calls = self.world.calls(&function.name).take(self.left);
        calls.filter_map(fill).collect()
    }
}
