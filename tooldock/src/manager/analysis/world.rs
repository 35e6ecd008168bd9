//! All outlines together: what a name stands for.

use std::collections::HashMap;

use super::{
    Language,
    outline::{Class, Expr, Function, Outline},
};

/// Values of one name that are looked through for the one that can be seen from a place.
const SIGHT: usize = 2_000;

/// What one file says, and which file it is.
#[derive(Debug)]
pub(super) struct Module {
    pub(super) path: String,
    pub(super) language: Language,
    pub(super) outline: Outline,
    /// Where its lines end.
    pub(super) lines: Vec<usize>,
}

impl Module {
    /// The line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|end| *end < at) + 1
    }
}

/// Where a name stands: in which module, at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) module: usize,
    pub(super) at: usize,
}

/// Where the things of one name are, in the order of their places.
#[derive(Debug, Default)]
struct Found {
    values: Vec<(Place, usize)>,
    functions: Vec<(Place, usize)>,
    classes: Vec<(Place, usize)>,
    calls: Vec<(Place, usize)>,
}

/// All modules, and an index of their names.
#[derive(Debug)]
pub(super) struct World {
    pub(super) modules: Vec<Module>,
    names: HashMap<String, Found>,
    /// Modules by their paths without endings.
    stems: HashMap<String, usize>,
}

impl World {
    pub(super) fn new(modules: Vec<Module>) -> Self {
        let mut names: HashMap<String, Found> = HashMap::new();
        let mut stems = HashMap::new();
        for (module, of) in modules.iter().enumerate() {
            let stem = stem(&of.path);
            if let Some(folder) = stem.strip_suffix("/index") {
                stems.insert(folder.to_owned(), module);
            }
            stems.insert(stem.to_owned(), module);
            let mut found = |name: &str, at, list: fn(&mut Found) -> &mut Vec<(Place, usize)>, index| {
                let of_name = names.entry(name.to_owned()).or_default();
                list(of_name).push((Place { module, at }, index));
            };
            for (index, value) in of.outline.values.iter().enumerate() {
                found(&value.name, value.at, |found| &mut found.values, index);
            }
            for (index, function) in of.outline.functions.iter().enumerate() {
                found(&function.name, function.at, |found| &mut found.functions, index);
            }
            for (index, call) in of.outline.calls.iter().enumerate() {
                let name = call.it.last_name().unwrap_or_default();
                found(name, call.at, |found| &mut found.calls, index);
            }
            for (index, class) in of.outline.classes.iter().enumerate() {
                found(&class.name, class.at, |found| &mut found.classes, index);
            }
        }
        Self {
            modules,
            names,
            stems,
        }
    }

    /// The value that a name has at a place: in the same file the one given last before and still seen, else the one of the file that it
    /// is imported from, else the one of the nearest file.
    pub(super) fn value(&self, name: &str, from: Place) -> Option<(Place, &Expr)> {
        let all = &self.names.get(name)?.values;
        let ends = |&(place, index): &(Place, usize)| self.modules[place.module].outline.values[index].end;
        let seen = all[..before(all, from)]
            .iter()
            .rev()
            .take(SIGHT)
            .take_while(|(place, _)| place.module == from.module)
            .find(|value| ends(value) > from.at);
        let (place, index) = match seen {
            Some(seen) => *seen,
            None => self.nearest(name, all, from)?,
        };
        Some((place, &self.modules[place.module].outline.values[index].expr))
    }

    pub(super) fn function(&self, name: &str, from: Place) -> Option<(Place, &Function)> {
        let (place, index) = self.nearest(name, &self.names.get(name)?.functions, from)?;
        Some((place, &self.modules[place.module].outline.functions[index]))
    }

    pub(super) fn class(&self, name: &str, from: Place) -> Option<(Place, &Class)> {
        let (place, index) = self.nearest(name, &self.names.get(name)?.classes, from)?;
        Some((place, &self.modules[place.module].outline.classes[index]))
    }

    /// The calls of anything of this name that have a text.
    pub(super) fn calls(&self, name: &str) -> impl Iterator<Item = (Place, &Expr)> {
        let all = self.names.get(name).map(|found| found.calls.as_slice());
        let call =
            |&(place, index): &(Place, usize)| (place, &self.modules[place.module].outline.calls[index].it);
        all.unwrap_or_default().iter().map(call)
    }

    /// What a module offers under a name, or else any other module but the one that asks.
    pub(super) fn offered(&self, written: &Expr, name: &str, from: Place) -> Option<(Place, &Expr)> {
        let Expr::Text(written) = written else {
            return None;
        };
        let all = &self.names.get(name)?.values;
        let module = self.module(written, from);
        let there = all.iter().rfind(|(place, _)| Some(place.module) == module);
        let elsewhere = || {
            let others = all
                .iter()
                .take(SIGHT)
                .filter(|(place, _)| place.module != from.module);
            others.max_by_key(|(place, _)| self.common(place.module, from.module))
        };
        let (place, index) = *there.or_else(elsewhere)?;
        Some((place, &self.modules[place.module].outline.values[index].expr))
    }

    /// What a file of JSON holds, by its name without folders.
    pub(super) fn table(&self, name: &str, from: Place) -> Option<(Place, &Expr)> {
        let is = |place: Place| self.modules[place.module].path.rsplit('/').next() == Some(name);
        let all = &self.names.get("default")?.values;
        let (place, index) = *all
            .iter()
            .take(SIGHT)
            .filter(|(place, _)| is(*place))
            .max_by_key(|(place, _)| self.common(place.module, from.module))?;
        Some((place, &self.modules[place.module].outline.values[index].expr))
    }

    fn nearest(&self, name: &str, all: &[(Place, usize)], from: Place) -> Option<(Place, usize)> {
        let after = before(all, from);
        let here = |one: &&(Place, usize)| one.0.module == from.module;
        let imported = || {
            let written = self.modules[from.module].outline.imports.get(name)?;
            let module = self.module(written, from)?;
            all.iter().rfind(|(place, _)| place.module == module)
        };
        let near = || {
            all.iter()
                .take(SIGHT)
                .max_by_key(|(place, _)| self.common(place.module, from.module))
        };
        let last = all[..after].last().filter(here);
        last.or_else(|| all.get(after).filter(here))
            .or_else(imported)
            .or_else(near)
            .copied()
    }

    /// How many characters two paths begin with alike.
    fn common(&self, one: usize, other: usize) -> usize {
        let [one, other] = [one, other].map(|module| self.modules[module].path.bytes());
        one.zip(other).take_while(|(one, other)| one == other).count()
    }

    /// The module that a relative path leads to, as it is written in another one.
    fn module(&self, written: &str, from: Place) -> Option<usize> {
        let mut folders: Vec<&str> = self.modules[from.module].path.split('/').collect();
        folders.pop();
        for part in written.split('/') {
            match part {
                "." | "" => {}
                ".." => drop(folders.pop()?),
                name => folders.push(name),
            }
        }
        self.stems.get(stem(&folders.join("/"))).copied()
    }
}

/// How many of them stand before a place.
fn before(all: &[(Place, usize)], from: Place) -> usize {
    all.partition_point(|(place, _)| *place <= from)
}

/// A path without the ending that tells the language.
fn stem(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, _)) if Language::of(path).is_some() => stem,
        _ => path,
    }
}
