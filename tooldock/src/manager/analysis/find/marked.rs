//! Functions with a decorator, an attribute or an annotation that makes them tools.

use super::{
    super::{
        Language,
        outline::{Expr, Function, find_mark},
        schema::{of_function, parameters},
        world::Place,
    },
    Declaration, Finder,
};

/// The names of such marks in all libraries.
const MARKS: &[&str] = &["tool", "Tool", "McpTool", "McpServerTool", "mcp_tool"];

/// Arguments that hold what a tool takes in decorators of projects.
const TAKEN: &[&str] = &[
    "params",
    "params_model",
    "schema",
    "input_schema",
    "input_model",
    "args_schema",
];

/// A decorator of the project that says all of a tool, with what the tool takes: `@register_tool("name", params=Params)`.
fn told(mark: &Expr) -> Option<(&Expr, &Expr)> {
    let is_about_tools = mark.last_name()?.to_ascii_lowercase().contains("tool");
    is_about_tools.then_some((mark, mark.member(TAKEN)?))
}

/// Calls of libraries that make a tool of a function.
const REGISTRARS: &[&str] = &["tool", "add_tool"];
/// Functions of a project that are followed from one to the next.
const STEPS: u32 = 3;

impl Finder<'_> {
    pub(super) fn marked(&mut self, function: &Function, place: Place) {
        if let Some(mark) = find_mark(&function.marks, MARKS) {
            self.function(function, place, place, mark, None);
        } else if let Some((mark, schema)) = function.marks.iter().find_map(told) {
            let declaration = Declaration {
                description: self
                    .prose(mark.member(&["description"]), place)
                    .or_else(|| function.doc.clone()),
                parameters: parameters(self.world, schema, place),
            };
            let name = mark.member(&["name"]).or_else(|| mark.positional().next());
            self.add_named(name, place, declaration);
        } else if function
            .marks
            .iter()
            .any(|mark| self.registers(mark, place, STEPS))
        {
            // What it is called with is its author's affair.
            self.function(function, place, place, &Expr::Unknown, None);
        }
    }

    /// Whether a decorator is one of the project's own that makes tools: it calls one of a library, or gives what another such function gives.
    fn registers(&self, mark: &Expr, place: Place, steps: u32) -> bool {
        let found = mark.last_name().and_then(|name| self.world.function(name, place));
        let (Some((place, function)), Some(steps)) = (found, steps.checked_sub(1)) else {
            return false;
        };
        let within = |at: usize| (function.at..function.end).contains(&at);
        let outline = &self.world.modules[place.module].outline;
        let calls = |site: &Expr| {
            matches!(site, Expr::Call(_)) && site.last_name().is_some_and(|name| REGISTRARS.contains(&name))
        };
        // It may keep them for a function beside it, which registers them by a name of its own.
        let own = match mark {
            Expr::Call(call) => matches!(call.callee, Expr::Name(_)),
            other => matches!(other, Expr::Name(_)),
        };
        let keeps = own && function.name.to_ascii_lowercase().contains("tool");
        let later = |site: &Expr| {
            let mut given = site.positional().filter_map(Expr::last_name);
            keeps && given.any(|name| outline.functions.iter().all(|function| function.name != name))
        };
        let mut sites = outline.sites.iter().filter(|site| calls(&site.it));
        let registers = sites.any(|site| within(site.at) || later(&site.it));
        registers
            || function
                .result
                .as_ref()
                .is_some_and(|result| matches!(result, Expr::Call(_)) && self.registers(result, place, steps))
    }

    /// A function that is a tool, with what the mark or call says of it.
    pub(super) fn function(
        &mut self,
        function: &Function,
        declared: Place,
        place: Place,
        mark: &Expr,
        more: Option<&Expr>,
    ) {
        let language = self.world.modules[place.module].language;
        let said = |names: &[&str]| {
            mark.member(names)
                .or_else(|| more.and_then(|more| more.member(names)))
        };
        // The only unnamed argument is the name in Python and the description in Java.
        let lone = mark
            .positional()
            .next()
            .filter(|lone| !matches!(lone, Expr::Name(_) | Expr::Member(..) | Expr::Bound(_)));
        let name = said(&["name"]).or(lone.filter(|_| language == Language::Python));
        let described = said(&["description", "value"]).or(lone.filter(|_| language == Language::Java));
        let beside = find_mark(&function.marks, &["Description"]).and_then(|mark| mark.positional().next());
        let declaration = Declaration {
            description: self
                .prose(described.or(beside), place)
                .or_else(|| function.doc.clone()),
            parameters: Some(of_function(self.world, function, declared)),
        };
        let prefix = self.prefix(mark, place);
        match (name, prefix) {
            (None, prefix) => {
                let name = own_name(&function.name, language);
                self.add(&(prefix + &name), place, declaration);
            }
            (Some(name), prefix) if prefix.is_empty() => self.add_named(Some(name), place, declaration),
            (Some(name), prefix) => {
                let name = Expr::Join(vec![Expr::text(prefix), name.clone()]);
                self.add_named(Some(&name), place, declaration);
            }
        }
    }
}

/// The name that a library gives to a function without one: the SDK of C# drops `Async` and writes words with `_`.
fn own_name(name: &str, language: Language) -> String {
    if language != Language::CSharp {
        return name.to_owned();
    }
    let mut own = String::new();
    let name = name.strip_suffix("Async").unwrap_or(name);
    let mut before = '_';
    for c in name.chars() {
        if c.is_uppercase() && !before.is_uppercase() && !own.is_empty() {
            own.push('_');
        }
        own.extend(c.to_lowercase());
        before = c;
    }
    own
}
