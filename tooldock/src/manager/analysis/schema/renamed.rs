//! Makers of validators that a bundler gave other names, known by the class of what they make.

use super::{
    super::{
        outline::{Call, Expr},
        world::Place,
    },
    Reader, Shape,
};

/// What the classes of zod begin with, and what is in front of those of its core.
const CLASS: &str = "Zod";
/// Kinds of validators that are made around another one.
const AROUND: &[&str] = &[
    "pipe", "effects", "lazy", "optional", "nullable", "default", "readonly", "codec", "catch", "branded",
];

impl<'a> Reader<'a> {
    /// What a maker with another name makes.
    pub(super) fn renamed(self, call: &Call, from: Place) -> Option<Shape> {
        let kind = self.kind(call, from)?;
        if AROUND.contains(&kind.as_str()) {
            let mut shape = self.around(call, from)?;
            shape.optional |= matches!(kind.as_str(), "optional" | "default");
            return Some(shape);
        }
        self.make(&kind, call, from)
    }

    /// The kind of validator that a call makes, in small letters: `new S({ typeName: Kinds.ZodString })`, or `new S(…)` and `f(S)` where
    /// `S` is `constructor("ZodString", …)`, or what a function gives that does so.
    fn kind(self, call: &Call, from: Place) -> Option<String> {
        let reader = self.deeper()?;
        let told = call.args.first().and_then(|arg| arg.value.member(&["typeName"]));
        let told = told.and_then(Expr::last_name).map(str::to_owned);
        let class = |expr: &Expr| match self.world.resolve(expr, from).1 {
            Expr::Call(class) => match &class.args.first()?.value {
                Expr::Text(name) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        };
        let named = || {
            let names = std::iter::once(&call.callee).chain(call.args.iter().map(|arg| &arg.value));
            names
                .filter(|name| matches!(name, Expr::Name(_)))
                .find_map(|name| class(name).filter(|name| name.starts_with(CLASS)))
        };
        match told.or_else(named) {
            Some(name) => Some(name.strip_prefix(CLASS)?.to_ascii_lowercase()),
            None => match self.result(call, from)? {
                (place, Expr::Call(made)) => reader.kind(made, place),
                _ => None,
            },
        }
    }

    /// What the function gives that is called, also by another name: `const o = S.create`.
    fn result(self, call: &Call, from: Place) -> Option<(Place, &'a Expr)> {
        if let Some((place, function)) = self.world.called(call, from) {
            return Some((place, function.result.as_ref()?));
        }
        let (place, Expr::Member(of, name)) = self.world.resolve(&call.callee, from) else {
            return None;
        };
        let name = format!("{}.{name}", of.last_name()?);
        match self.world.value(&name, place)? {
            (place, Expr::Function(function)) => Some((place, function.result.as_ref()?)),
            (place, made @ Expr::Call(_)) => Some((place, made)),
            _ => None,
        }
    }
}
