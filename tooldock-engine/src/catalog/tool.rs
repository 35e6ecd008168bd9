//! A tool as it is listed.

use std::time::Duration;

use crate::{json::RawJson, name::ToolName};

/// A tool as it is listed. Schemas, annotations and icons stay the bytes they arrived in.
///
/// ```
/// use tooldock_engine::{RawJson, Tool};
/// let mut tool = Tool::new("add".parse()?);
/// tool.description = Some("Adds two numbers.".to_owned());
/// tool.input_schema = RawJson::from(serde_json::json!({
///     "type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a", "b"],
/// }));
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tool {
    /// The name by which it is called.
    pub name: ToolName,
    /// The name people read.
    pub title: Option<String>,
    /// What it does and when to use it: written for the model.
    pub description: Option<String>,
    /// JSON Schema of the arguments: an object schema.
    pub input_schema: RawJson,
    /// JSON Schema of the structured result.
    pub output_schema: Option<RawJson>,
    /// MCP tool annotations (`readOnlyHint`, …): an object.
    pub annotations: Option<RawJson>,
    /// MCP icons: an array.
    pub icons: Option<RawJson>,
    /// `_meta` of the definition: an object.
    pub meta: Option<RawJson>,
    /// What client capabilities it cannot do without: a ClientCapabilities object.
    pub requires: Option<RawJson>,
    /// A coarse group, for toolsets.
    pub category: Option<String>,
    /// Free labels, for toolsets.
    pub tags: Vec<String>,
    /// Whether it is switched on. [`CatalogBuilder`](super::CatalogBuilder) leaves out tools that are off.
    pub enabled: bool,
    /// Its own time limit, if it has one.
    pub timeout: Option<Duration>,
    /// Whether a call holds a thread of its engine until it ends, as a synchronous Python function does. Such calls are
    /// counted apart from the others, which go on while threads are scarce.
    pub blocking: bool,
}

impl Tool {
    /// A tool that takes no arguments and has only a name.
    #[must_use]
    pub fn new(name: ToolName) -> Self {
        Self {
            name,
            title: None,
            description: None,
            input_schema: RawJson::from(serde_json::json!({"type": "object", "properties": {}})),
            output_schema: None,
            annotations: None,
            icons: None,
            meta: None,
            requires: None,
            category: None,
            tags: Vec::new(),
            enabled: true,
            timeout: None,
            blocking: false,
        }
    }
}

/// Edits that turn `a` into `b`, for "did you mean".
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(128).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().take(128).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let cost = corner + usize::from(!from.eq_ignore_ascii_case(to));
            corner = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}
