//! The tools that outlines declare, in each of the ways that libraries have for it.

mod called;
mod class;
mod expand;
mod marked;
mod mounted;
mod recorded;

use std::{
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use super::{
    Language,
    outline::Expr,
    report::{Parameter, ToolFound},
    world::{Place, World},
};

/// Declarations that loops and functions of the project make, at most.
const EXPANDED: usize = 1_000;
/// Declarations whose names are not known that are told of.
const TOLD: usize = 10;

/// All tools of a world.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    world: &'a World,
    found: BTreeMap<String, (ToolFound, Language, Knowledge)>,
    /// What stands before the names of the tools of a server, by the place where this server is made.
    prefixes: HashMap<Place, String>,
    /// Declarations that may still be made by loops and functions of the project.
    left: usize,
    /// Where the declaration is told to be that one of them makes.
    told: Option<Place>,
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
    /// Whether there was time for every declaration.
    pub(super) complete: bool,
}

/// A tool as one declaration has it.
#[derive(Debug, Default)]
struct Declaration {
    description: Option<String>,
    parameters: Option<Vec<Parameter>>,
}

/// Finds every tool, until `end`.
pub(super) fn tools(world: &World, end: Instant) -> Found {
    let mut finder = Finder {
        world,
        found: BTreeMap::new(),
        prefixes: mounted::prefixes(world),
        left: EXPANDED,
        told: None,
        unnamed: Vec::new(),
        unnamed_count: 0,
    };
    let in_time = || Instant::now() < end;
    for (module, of) in world.modules.iter().enumerate() {
        for function in of.outline.functions.iter().take_while(|_| in_time()) {
            finder.marked(
                function,
                Place {
                    module,
                    at: function.at,
                },
            );
        }
        for class in of.outline.classes.iter().take_while(|_| in_time()) {
            finder.class(class, Place { module, at: class.at });
        }
        for site in of.outline.sites.iter().take_while(|_| in_time()) {
            finder.site(&site.it, Place { module, at: site.at });
        }
    }
    Found {
        tools: finder
            .found
            .into_values()
            .map(|(tool, language, _)| (tool, language))
            .collect(),
        unnamed: finder.unnamed,
        unnamed_count: finder.unnamed_count,
        complete: in_time(),
    }
}

/// How much a declaration says: of two with one name the one that says more stays. What is made of a record by the project itself says
/// more than the record.
type Knowledge = (bool, bool, bool);

impl Finder<'_> {
    fn site(&mut self, site: &Expr, place: Place) {
        let Some(all) = self.expanded(site, place) else {
            self.called(site, place);
            self.recorded(site, place);
            return;
        };
        for one in all {
            self.told = Some(one.told);
            self.called(&one.site, place);
            self.recorded(&one.site, place);
        }
        self.told = None;
    }

    /// Notes a tool.
    fn add(&mut self, name: &str, place: Place, declaration: Declaration) {
        if !is_name(name) {
            return;
        }
        let place = self.told.unwrap_or(place);
        let module = &self.world.modules[place.module];
        let tool = ToolFound {
            name: name.to_owned(),
            file: module.path.clone(),
            line: module.line(place.at),
            description: declaration.description,
            parameters: declaration.parameters,
        };
        let known = (
            tool.parameters.is_some(),
            self.told.is_some(),
            tool.description.is_some(),
        );
        match self.found.get(name) {
            Some((.., old)) if *old >= known => {}
            _ => drop(self.found.insert(name.to_owned(), (tool, module.language, known))),
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
