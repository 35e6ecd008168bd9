//! What is known of a server's tools: which arguments they want mirrored.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::{Value, value::RawValue};
use tooldock_engine::{RawJson, json::ObjectWriter};

use super::rules::find_fault;
use crate::mark::Mark;

/// Tools that are remembered.
const TOOLS: usize = 10_000;

/// The marks of the tools that a server has listed.
#[derive(Debug, Default)]
pub(super) struct Learned(Mutex<HashMap<String, Arc<[Mark]>>>);

#[derive(serde::Deserialize)]
struct Entry<'a> {
    name: String,
    #[serde(borrow, rename = "inputSchema")]
    schema: &'a RawValue,
}

impl Learned {
    /// The marks of the tool called `name`, as far as it was listed.
    pub(super) fn marks(&self, name: &str) -> Option<Arc<[Mark]>> {
        self.lock().get(name).cloned()
    }

    /// Reads the response to a `tools/list`, and gives it back without the tools whose marks break a rule: those must not be offered.
    pub(super) fn read(&self, response: RawJson) -> RawJson {
        if !response.as_str().contains("x-mcp-header") {
            return response;
        }
        self.sort(&response).unwrap_or(response)
    }

    /// Another response, if something has to be left out.
    fn sort(&self, response: &RawJson) -> Option<RawJson> {
        #[derive(serde::Deserialize)]
        struct Response<'a> {
            #[serde(borrow)]
            result: &'a RawValue,
        }
        #[derive(serde::Deserialize)]
        struct Page<'a> {
            #[serde(borrow)]
            tools: Vec<&'a RawValue>,
        }
        let envelope: Response<'_> = response.parse().ok()?;
        let result = response.part(envelope.result);
        let page: Page<'_> = result.parse().ok()?;
        let count = page.tools.len();
        let tools = page.tools.into_iter().map(|tool| result.part(tool));
        let kept: Vec<RawJson> = tools.filter(|tool| self.keeps(tool)).collect();
        if kept.len() == count {
            return None;
        }
        let mut out = ObjectWriter::with_capacity(response.len());
        out.members(response, &["result"]).object("result", |out| {
            out.members(&result, &["tools"]).array("tools", &kept);
        });
        Some(out.finish())
    }

    /// Remembers a tool, unless it must not be offered.
    fn keeps(&self, tool: &RawJson) -> bool {
        let Ok(entry) = tool.parse::<Entry<'_>>() else {
            return true;
        };
        let schema: Value = serde_json::from_str(entry.schema.get()).unwrap_or_default();
        if let Some(fault) = find_fault(&schema) {
            let tool = entry.name.escape_debug();
            tracing::warn!(%tool, fault, "a tool is left out: its `x-mcp-header` breaks a rule");
            return false;
        }
        let mut known = self.lock();
        if known.len() < TOOLS || known.contains_key(&entry.name) {
            known.insert(entry.name, Mark::all(&schema).into());
        }
        true
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<[Mark]>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
