//! What the core tells about its namespaces, as far as the tools use it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Every namespace and how it is.
#[derive(Debug, Deserialize)]
pub(in super::super) struct CoreState {
    pub(in super::super) version: String,
    pub(in super::super) namespaces: Vec<CoreNamespace>,
    pub(in super::super) rejected: Vec<Rejected>,
}

/// A namespace of the core.
#[derive(Debug, Clone, Deserialize)]
pub(in super::super) struct CoreNamespace {
    pub(in super::super) name: String,
    pub(in super::super) state: String,
    #[serde(default)]
    pub(in super::super) tools: usize,
    #[serde(default)]
    pub(in super::super) reason: Option<String>,
    #[serde(default)]
    pub(in super::super) failure: Option<String>,
    #[serde(default)]
    pub(in super::super) errors: Vec<LoadProblem>,
}

/// A folder that the core does not take for a namespace.
#[derive(Debug, Clone, Deserialize)]
pub(in super::super) struct Rejected {
    pub(in super::super) name: String,
    pub(in super::super) reason: String,
}

/// A file or a tool that the core could not load.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub(in super::super) struct LoadProblem {
    pub(in super::super) file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in super::super) tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in super::super) line: Option<u32>,
    pub(in super::super) message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in super::super) hint: Option<String>,
}

impl CoreState {
    /// The namespace called `name`.
    pub(in super::super) fn namespace(&self, name: &str) -> Option<&CoreNamespace> {
        self.namespaces.iter().find(|namespace| namespace.name == name)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct CoreTools {
    pub(super) tools: Vec<CoreTool>,
}

/// A tool of the core and the file it comes from.
#[derive(Debug, Clone, Deserialize)]
pub(in super::super) struct CoreTool {
    pub(in super::super) tool: String,
    pub(in super::super) file: String,
    #[serde(default)]
    pub(in super::super) description: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Settings {
    pub(super) settings: Vec<CoreSetting>,
}

/// A setting of the core as it counts.
#[derive(Debug, Deserialize)]
pub(in super::super) struct CoreSetting {
    pub(in super::super) name: String,
    pub(in super::super) value: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Log {
    pub(super) lines: Vec<LogLine>,
}

/// A line that a namespace wrote.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub(in super::super) struct LogLine {
    /// Milliseconds since 1970.
    pub(in super::super) time: u64,
    pub(in super::super) stream: String,
    pub(in super::super) text: String,
}

/// What a test call came to.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Tested {
    pub(in super::super) ok: bool,
    pub(in super::super) milliseconds: u64,
    #[serde(default)]
    pub(in super::super) content: Value,
    #[serde(default)]
    pub(in super::super) structured: Value,
    #[serde(default)]
    pub(in super::super) error: Option<TestError>,
}

/// Why a test call failed.
#[derive(Debug, Deserialize)]
pub(in super::super) struct TestError {
    pub(in super::super) code: String,
    pub(in super::super) message: String,
    /// Causes, outermost first; a traceback of Python is one.
    #[serde(default)]
    pub(in super::super) cause: Vec<String>,
}
