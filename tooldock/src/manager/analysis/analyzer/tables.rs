//! Tables of tools in files of JSON, which source code goes over.

use super::{
    super::{
        Files, Language,
        survey::{Role, role},
        world::Module,
    },
    Analyzer, speaks_of_tools,
};

/// Files of JSON that are read at most.
const TABLES: usize = 30;
/// Bytes of a table that is read.
const LARGEST: usize = 1 << 20;
/// Words in the names of such files.
const NAMED: &[&str] = &[
    "tool",
    "endpoint",
    "operation",
    "command",
    "function",
    "api",
    "schema",
];

impl Analyzer {
    /// Reads the tables of one role, each as a module that offers what it holds.
    pub(super) fn tables(
        &self,
        files: &impl Files,
        paths: &[&str],
        wanted: Role,
        left: &mut usize,
        modules: &mut Vec<Module>,
    ) {
        let named = |path: &&&str| {
            let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
            name.strip_suffix(".json")
                .is_some_and(|stem| NAMED.iter().any(|word| stem.contains(word)))
        };
        let tables = paths.iter().filter(named).filter(|path| role(path) == wanted);
        for path in tables.take(TABLES) {
            let text = files
                .read(path)
                .filter(|text| text.len() <= LARGEST && speaks_of_tools(text));
            if let Some(text) = text {
                let offered = format!("export default {text}");
                self.parse(path, Language::JavaScript, &offered, left, modules);
            }
        }
    }
}
