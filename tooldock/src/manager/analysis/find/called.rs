//! Calls that register tools.

use super::{
    super::{
        Language,
        effort::{Effort, steps},
        outline::Expr,
        report::Parameter,
        schema::{is_validator, of_function, options, parameters},
        world::Place,
    },
    Declaration, Finder,
};

/// What a record of annotations may have.
const ANNOTATIONS: &[&str] = &[
    "title",
    "readOnlyHint",
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
];

impl Finder<'_> {
    pub(super) fn called(&mut self, site: &Expr, place: Place) {
        let Expr::Call(call) = site else {
            return;
        };
        let given: Vec<&Expr> = site.positional().collect();
        let language = self.world.modules[place.module].language;
        match (
            language,
            call.callee.last_name().unwrap_or_default(),
            given.as_slice(),
        ) {
            (Language::Python, "Tool" | "StructuredTool" | "mount" | "import_server", _) => {}
            (Language::Python, _, [function, rest @ ..]) => self.registered(function, rest, site, place),
            (Language::JavaScript | Language::TypeScript, _, [first, rest @ ..])
                if !matches!(self.world.resolve(first, place).1, Expr::Record(_)) =>
            {
                self.script(first, rest, place);
            }
            (Language::Go, "NewTool", [name, rest @ ..]) => {
                let (description, parameters) = options(self.world, rest.iter().copied(), place);
                self.add_named(
                    Some(name),
                    place,
                    Declaration {
                        description,
                        parameters: Some(parameters),
                    },
                );
            }
            (Language::Go, "AddTool", [.., tool, handler]) => self.handled(tool, handler, place),
            (Language::Go, "RegisterTool", [name, description, handler]) => {
                let declaration = Declaration {
                    description: self.prose(Some(description), place),
                    parameters: self.taken(handler, place),
                };
                self.add_named(Some(name), place, declaration);
            }
            (Language::Go, _, [name, schema])
            | (Language::Rust | Language::Java | Language::CSharp, _, [name, schema]) => {
                let declaration = Declaration {
                    description: None,
                    parameters: parameters(self.world, schema, place),
                };
                self.add_named(Some(name), place, declaration);
            }
            (Language::Rust | Language::Java, _, [name, .., description, schema]) => {
                let declaration = Declaration {
                    description: self.prose(Some(description), place),
                    parameters: parameters(self.world, schema, place),
                };
                self.add_named(Some(name), place, declaration);
            }
            _ => {}
        }
    }

    /// `mcp.add_tool(f)`, `mcp.tool(f)`, `mcp.tool(name="…")(f)`.
    fn registered(&mut self, function: &Expr, rest: &[&Expr], site: &Expr, place: Place) {
        let Some(name) = function
            .last_name()
            .filter(|_| !matches!(function, Expr::Call(_)))
        else {
            return;
        };
        if let Some((declared, function)) = self.world.function(name, place) {
            let around = match site {
                Expr::Call(call) => Some(&call.callee),
                _ => None,
            };
            let named = rest.first().is_none_or(|_| site.member(&["name"]).is_some());
            if named {
                self.function(function, declared, place, site, around);
            }
        }
    }

    /// `registerTool(name, {…}, f)` and `tool(name, description, members, annotations, f)`.
    pub(super) fn script(&mut self, name: &Expr, rest: &[&Expr], place: Place) {
        let mut declaration = Declaration::default();
        if rest.is_empty() {
            return;
        }
        for given in rest {
            let (at, found) = self.world.resolve(given, place);
            let made = self.made(found, at);
            let (at, found) = made.as_ref().map_or((at, found), |(at, made)| (*at, made));
            match found {
                Expr::Function(_) => break,
                Expr::Record(_)
                    if found
                        .member(&["inputSchema", "description"])
                        .is_some_and(|member| !is_validator(member)) =>
                {
                    declaration.description = declaration
                        .description
                        .or_else(|| self.prose(found.member(&["description"]), at));
                    declaration.parameters = self.input(found, at);
                }
                Expr::Record(members)
                    if !members.is_empty()
                        && members.iter().all(|one| {
                            one.name
                                .as_deref()
                                .is_some_and(|name| ANNOTATIONS.contains(&name))
                        }) => {}
                Expr::Text(_) | Expr::Join(_) if declaration.description.is_none() => {
                    declaration.description = self.prose(Some(found), at);
                }
                _ if declaration.parameters.is_none() => {
                    declaration.parameters = parameters(self.world, found, at);
                    if declaration.parameters.is_none() && declaration.description.is_none() {
                        declaration.description = self.prose(Some(found), at);
                    }
                }
                _ => {}
            }
        }
        // What takes a function only takes nothing else.
        if declaration.parameters.is_none()
            && rest
                .iter()
                .all(|given| matches!(given, Expr::Text(_) | Expr::Join(_) | Expr::Function(_)))
        {
            declaration.parameters = Some(Vec::new());
        }
        self.add_named(Some(name), place, declaration);
    }

    /// The record that a function of the project makes of its arguments.
    fn made(&self, given: &Expr, place: Place) -> Option<(Place, Expr)> {
        let Expr::Call(call) = given else { return None };
        let made = self.world.applied(call, place, Effort::new(&steps()));
        made.filter(|(_, made)| matches!(made, Expr::Record(_)))
    }

    /// The parameters in a record that registers a tool: without a schema it takes none.
    pub(super) fn input(&self, record: &Expr, place: Place) -> Option<Vec<Parameter>> {
        match record.member(super::recorded::SCHEMAS) {
            Some(schema) => parameters(self.world, schema, place),
            None => Some(Vec::new()),
        }
    }

    /// `mcp.AddTool(server, &mcp.Tool{…}, handler)`, where the handler's last parameter is what the tool takes.
    fn handled(&mut self, tool: &Expr, handler: &Expr, place: Place) {
        let (at, tool) = self.world.resolve(tool, place);
        if tool.member(&["name"]).is_none() {
            return;
        }
        let declaration = Declaration {
            description: self.prose(tool.member(&["description"]), at),
            parameters: match tool.member(&["inputSchema"]) {
                Some(schema) => parameters(self.world, schema, at),
                None => self.taken(handler, place),
            },
        };
        self.add_named(tool.member(&["name"]), at, declaration);
    }

    /// What the last parameter of a function holds.
    fn taken(&self, handler: &Expr, place: Place) -> Option<Vec<Parameter>> {
        let (at, handler) = self.world.resolve(handler, place);
        let (at, function) = match handler {
            Expr::Function(function) => (at, &**function),
            other => self.world.function(other.last_name()?, at)?,
        };
        let last = function.params.last()?;
        let kind = match &last.kind {
            Expr::Call(call) if call.callee.last_name() == Some("*") => {
                call.args.first().map_or(&last.kind, |arg| &arg.value)
            }
            other => other,
        };
        match self.world.class(kind.last_name()?, at) {
            Some(_) => parameters(self.world, &Expr::name(kind.last_name()?), at),
            None => Some(of_function(self.world, function, at)).filter(Vec::is_empty),
        }
    }
}
