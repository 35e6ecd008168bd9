//! The tools that outlines declare, in each of the ways that libraries have for it.

mod called;
mod class;
mod marked;
mod recorded;

use std::collections::BTreeMap;

use super::{
    Language,
    outline::Expr,
    report::{Parameter, ToolFound},
    world::{Place, World},
};

/// Declarations whose names are not known that are told of.
const TOLD: usize = 10;

/// All tools of a world.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    world: &'a World,
    found: BTreeMap<String, (ToolFound, Language)>,
    /// Where a tool is declared whose name only running would tell.
    unnamed: Vec<String>,
    unnamed_count: usize,
}

/// What was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) tools: Vec<(ToolFound, Language)>,
    pub(super) unnamed: Vec<String>,
    pub(super) unnamed_count: usize,
}

/// A tool as one declaration has it.
#[derive(Debug, Default)]
struct Declaration {
    description: Option<String>,
    parameters: Option<Vec<Parameter>>,
}

/// Finds every tool.
pub(super) fn tools(world: &World) -> Found {
    let mut finder = Finder {
        world,
        found: BTreeMap::new(),
        unnamed: Vec::new(),
        unnamed_count: 0,
    };
    for (module, of) in world.modules.iter().enumerate() {
        for function in &of.outline.functions {
            finder.marked(
                function,
                Place {
                    module,
                    at: function.at,
                },
            );
        }
        for class in &of.outline.classes {
            finder.class(class, Place { module, at: class.at });
        }
        for site in &of.outline.sites {
            let place = Place { module, at: site.at };
            finder.called(&site.it, place);
            finder.recorded(&site.it, place);
        }
    }
    Found {
        tools: finder.found.into_values().collect(),
        unnamed: finder.unnamed,
        unnamed_count: finder.unnamed_count,
    }
}

impl Finder<'_> {
    /// Notes a tool; of two with one name the one that more is known of stays.
    fn add(&mut self, name: &str, place: Place, declaration: Declaration) {
        if !is_name(name) {
            return;
        }
        let module = &self.world.modules[place.module];
        let tool = ToolFound {
            name: name.to_owned(),
            file: module.path.clone(),
            line: module.line(place.at),
            description: declaration.description,
            parameters: declaration.parameters,
        };
        let known = |tool: &ToolFound| (tool.parameters.is_some(), tool.description.is_some());
        match self.found.get(name) {
            Some((old, _)) if known(old) >= known(&tool) => {}
            _ => drop(self.found.insert(name.to_owned(), (tool, module.language))),
        }
    }

    /// Notes a declaration by what its name is given as.
    fn add_named(&mut self, name: Option<&Expr>, place: Place, declaration: Declaration) {
        match name.and_then(|name| self.world.text(name, place)) {
            Some(name) => self.add(&name, place, declaration),
            None => {
                self.unnamed_count += 1;
                if self.unnamed.len() < TOLD {
                    let module = &self.world.modules[place.module];
                    self.unnamed
                        .push(format!("{}:{}", module.path, module.line(place.at)));
                }
            }
        }
    }

    fn prose(&self, expr: Option<&Expr>, place: Place) -> Option<String> {
        expr.and_then(|expr| self.world.prose(expr, place))
    }
}

/// Whether a text is the name of a tool (2025-11-25, Tools, *Tool names*, and the slash of older servers).
fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    (1..=128).contains(&text.len()) && text.chars().all(plain)
}
