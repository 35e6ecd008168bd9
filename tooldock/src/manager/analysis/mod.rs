//! What source code says about the tools in it, read and never run.
//!
//! Each file is parsed by tree-sitter; `grammars/` has one file for each language, which turns a syntax tree into an outline: values,
//! functions, classes, and calls that may declare a tool, in one form for all languages. On all outlines together (`world`) `find/` knows
//! the ways in which libraries declare tools, and `schema/` the ways in which they say what a tool takes. Nothing is imported, built or run;
//! what only running would tell is told as such.
//!
//! ```
//! use tooldock::manager::analysis::{Bounds, analyze};
//! let files = [("server.py", "@mcp.tool()\ndef add(a: int, b: int = 1) -> int:\n    '''Add two numbers.'''\n    return a + b\n")];
//! let analysis = analyze(&files, Bounds::default());
//! assert_eq!(analysis.tools_found[0].name, "add");
//! assert_eq!(analysis.tools_found[0].description.as_deref(), Some("Add two numbers."));
//! ```

mod analyzer;
mod bounds;
mod effort;
mod elements;
mod environment;
mod files;
mod find;
mod grammars;
mod language;
mod manifest;
mod openapi;
mod outline;
mod report;
mod resolve;
mod schema;
mod scope;
mod survey;
mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod world;

pub(super) use self::survey::is_library;
pub use self::{
    analyzer::analyze,
    bounds::Bounds,
    files::Files,
    language::Language,
    report::{Analysis, Parameter, ToolFound},
};
