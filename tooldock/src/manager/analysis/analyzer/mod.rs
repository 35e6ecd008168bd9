//! Looks at all files within its bounds.

mod summary;
mod tables;

use std::{collections::BTreeMap, time::Instant};

use super::{
    Analysis, Bounds, Files, Language,
    environment::Environment,
    find::{Found, tools},
    manifest::Manifest,
    openapi,
    survey::{Role, ordered},
    syntax::outline,
    world::{Module, World},
};

/// Says what the source code in `files` declares. It runs on the calling thread and may take seconds.
#[must_use]
pub fn analyze(files: &impl Files, bounds: Bounds) -> Analysis {
    let begin = Instant::now();
    let mut analyzer = Analyzer {
        bounds,
        end: begin + bounds.time * 4 / 5,
        last: begin + bounds.time,
        environment: Environment::default(),
        bytes: BTreeMap::new(),
        notes: Vec::new(),
        speaks_of_openapi: false,
    };
    let paths = files.paths();
    let (manifest, manifests) = manifests(files, &paths);
    let mut found = analyzer.look(files, &paths, Role::Written);
    for role in [Role::Built, Role::Brought] {
        if found.tools.is_empty() {
            let other = analyzer.look(files, &paths, role);
            // Names that only running tells are told where nothing else is.
            if !other.tools.is_empty() || found.unnamed_count == 0 {
                found = other;
            }
        }
    }
    if found.tools.is_empty() && analyzer.speaks_of_openapi {
        analyzer.operations(files, &paths, &mut found);
    }
    analyzer.report(found, &manifest, manifests, &paths)
}

/// What is known so far.
#[derive(Debug)]
struct Analyzer {
    bounds: Bounds,
    /// Until when files are parsed.
    end: Instant,
    /// Until when tools are found in them.
    last: Instant,
    environment: Environment,
    /// Bytes of source code in each language.
    bytes: BTreeMap<Language, usize>,
    notes: Vec<String>,
    /// Whether its source code works with documents of OpenAPI.
    speaks_of_openapi: bool,
}

/// The manifests, those nearest to the root first, as the first of two that speak of one package counts.
fn manifests(files: &impl Files, paths: &[&str]) -> (Manifest, Vec<String>) {
    let mut manifest = Manifest::default();
    let mut near: Vec<&str> = paths
        .iter()
        .copied()
        .filter(|path| !path.contains("node_modules/"))
        .collect();
    near.sort_by_key(|path| path.matches('/').count());
    let read = near
        .into_iter()
        .filter(|path| manifest.read(path, || files.read(path)));
    let read = read.take(30).map(str::to_owned).collect();
    (manifest, read)
}

impl Analyzer {
    /// Parses the files of one role. What speaks of tools comes first, as does what is nearest to the root.
    fn look(&mut self, files: &impl Files, paths: &[&str], role: Role) -> Found {
        let (mut modules, mut left, mut unread) = (Vec::new(), self.bounds.parsed_bytes, 0);
        let mut later = Vec::new();
        for (path, language) in ordered(paths.iter().copied(), role) {
            let Some(text) = files.read(path).filter(|_| Instant::now() < self.end) else {
                unread += 1;
                continue;
            };
            *self.bytes.entry(language).or_default() += text.len();
            self.environment.read(&text);
            self.speaks_of_openapi |= openapi::is_spoken_of(&text);
            if speaks_of_tools(&text) {
                unread += usize::from(!self.parse(path, language, &text, &mut left, &mut modules));
            } else {
                later.push((path, language));
            }
        }
        // Other files hold what those refer to; without a tool there is nothing to refer.
        if !modules.is_empty() {
            for (path, language) in later {
                if let Some(text) = files.read(path) {
                    unread += usize::from(!self.parse(path, language, &text, &mut left, &mut modules));
                }
            }
            self.tables(files, paths, role, &mut left, &mut modules);
        }
        if unread > 0 {
            self.notes.push(format!("{unread} source files were not parsed, because they are too large or too many; read those that matter with read_repo_file"));
        }
        tools(&World::new(modules), self.last)
    }

    /// The operations of a document of OpenAPI, as tools.
    fn operations(&mut self, files: &impl Files, paths: &[&str], found: &mut Found) {
        let language = self.bytes.iter().max_by_key(|(_, bytes)| **bytes);
        let document = openapi::find(files, paths, self.last);
        let note = match (document, language) {
            (Some((path, tools)), Some((language, _))) => {
                found.tools = tools.into_iter().map(|tool| (tool, *language)).collect();
                format!("the tools are the operations of `{path}`; it makes them while it runs and may call them otherwise")
            }
            _ => "it seems to make its tools of a document of OpenAPI while it runs, and the document is not among the files".to_owned(),
        };
        self.notes.push(note);
    }

    /// Whether a file was parsed.
    fn parse(
        &self,
        path: &str,
        language: Language,
        text: &str,
        left: &mut usize,
        modules: &mut Vec<Module>,
    ) -> bool {
        let now = Instant::now();
        let end = self.end.min(now + self.bounds.file_time);
        if text.len() > *left || now >= end {
            return false;
        }
        *left -= text.len();
        let Some(outline) = outline(language, path, text, end) else {
            return false;
        };
        let lines = text.match_indices('\n').map(|(at, _)| at).collect();
        modules.push(Module {
            path: path.to_owned(),
            language,
            outline,
            lines,
        });
        true
    }
}

/// Whether a file may declare a tool.
fn speaks_of_tools(text: &str) -> bool {
    ["tool", "Tool", "TOOL"].iter().any(|word| text.contains(word))
}
