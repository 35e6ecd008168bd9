//! What an expression stands for.

use super::{
    outline::{Arg, Call, Expr, Function},
    world::{Place, World},
};

/// Names that are followed from one to the next.
const STEPS: u32 = 48;

impl World {
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
            Expr::Bound(bound) => Some((bound.place, &bound.expr)),
            Expr::Name(name) => self.value(name, from),
            Expr::Member(of, name) => self.member(of, name, from, left),
            Expr::Call(call) => match call.callee.last_name().unwrap_or_default() {
                // These give what they are given.
                "freeze" | "dedent" | "assertType" | "values" | "__importStar" | "__importDefault"
                | "__toESM" => call.args.first().map(|arg| (from, &arg.value)),
                "parse" | "require" if let Some(name) = self.table_name(call, from, left) => {
                    self.table(&name, from)
                }
                _ => self.taken(call, from, left).or_else(|| self.returned(call, from)),
            },
            _ => None,
        }
    }

    /// The name of the file of JSON that a call reads: `require("./a.json")`, `JSON.parse(readFileSync(join(folder, "a.json"), "utf8"))`.
    fn table_name(&self, call: &Call, from: Place, left: &mut u32) -> Option<String> {
        call.args
            .iter()
            .find_map(|arg| match self.follow(&arg.value, from, left) {
                (_, Expr::Text(path)) if path.ends_with(".json") => {
                    path.rsplit('/').next().map(str::to_owned)
                }
                (place, Expr::Call(inner)) if *left > 0 => {
                    *left -= 1;
                    self.table_name(inner, place, left)
                }
                _ => None,
            })
    }

    /// What `record["name"]` takes out, which is a call like `list[str]`.
    fn taken<'a>(&'a self, call: &'a Call, from: Place, left: &mut u32) -> Option<(Place, &'a Expr)> {
        let [
            Arg {
                value: Expr::Text(name),
                ..
            },
        ] = call.args.as_slice()
        else {
            return None;
        };
        match self.follow(&call.callee, from, left) {
            (place, record @ Expr::Record(_)) => record.member(&[name]).map(|value| (place, value)),
            _ => None,
        }
    }

    /// What a function gives that takes nothing; `applied` is for the others.
    fn returned<'a>(&'a self, call: &'a Call, from: Place) -> Option<(Place, &'a Expr)> {
        let (place, function) = self.called(call, from)?;
        let result = function.result.as_ref();
        let result = result.filter(|_| function.params.is_empty() || call.args.is_empty())?;
        let at = function.end.max(function.at).max(place.at);
        Some((Place { at, ..place }, result))
    }

    /// The function that is called by its name.
    pub(super) fn called<'a>(&'a self, call: &Call, from: Place) -> Option<(Place, &'a Function)> {
        let Expr::Name(name) = &call.callee else {
            return None;
        };
        match self.value(name, from) {
            Some((place, Expr::Function(function))) => Some((place, &**function)),
            _ => self.function(name, from),
        }
    }

    /// A member of a record or of an enumeration; `.value` of a member is itself, and what another module offers is a plain name there.
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
            // What a file of JSON offers is all of it.
            Expr::List(_) if name == "default" => Some((place, of)),
            Expr::Record(_) if name == "default" && of.member(&[name]).is_none() => Some((place, of)),
            Expr::Record(_) => of.member(&[name]).map(|value| (place, value)),
            Expr::Name(class) => match self.class(class, place) {
                Some((place, class)) => {
                    let field = class.fields.iter().find(|field| field.name == name)?;
                    field.default.as_ref().map(|value| (place, value))
                }
                None => self.value(name, from),
            },
            Expr::Call(call) => match (call.callee.last_name(), call.args.first()) {
                (Some("require"), Some(arg)) => self.offered(&arg.value, name, place),
                // `z.object(members).shape` are the members.
                (Some("object"), Some(arg)) if name == "shape" => Some((place, &arg.value)),
                _ => self.value(name, place),
            },
            Expr::Unknown => self.value(name, from),
            _ => None,
        }
    }
}
