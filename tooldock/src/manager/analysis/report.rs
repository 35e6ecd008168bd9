//! What an analysis tells.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::Language;

/// What source code says about the tools in it, without having been run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Analysis {
    /// The language most of its tools, or else most of its code, are written in.
    pub language: Option<Language>,
    /// The library that its tools are declared with, such as `fastmcp`.
    pub framework: Option<String>,
    /// Files worth reading: manifests, files with tools, then other source.
    pub files: Vec<String>,
    /// The tools, by name.
    pub tools_found: Vec<ToolFound>,
    /// Packages it needs, with their versions as they are written.
    pub dependencies: BTreeMap<String, String>,
    /// Hosts in its addresses.
    pub apis_called: Vec<String>,
    /// Environment variables it reads that are called like secrets.
    pub secrets_needed: Vec<String>,
    /// Other environment variables it reads.
    pub settings_read: Vec<String>,
    /// What the numbers above do not tell: limits that were reached, names that only running would tell.
    pub notes: Vec<String>,
}

/// A tool.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ToolFound {
    /// Its name.
    pub name: String,
    /// The file that declares it.
    pub file: String,
    /// The line of the declaration.
    pub line: usize,
    /// What it does, in its author's words.
    pub description: Option<String>,
    /// Its parameters; nothing when only running would tell.
    pub parameters: Option<Vec<Parameter>>,
}

/// A parameter of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether it must be given.
    pub required: bool,
    /// Its JSON schema, as far as it can be read.
    pub schema: Value,
}
