//! The errors for things that are not there.

use crate::{Catalog, EngineError, ErrorKind};

/// The error for a tool that is not in `catalog`, with names that resemble it.
#[must_use]
pub fn unknown_tool(catalog: &Catalog, name: &str) -> EngineError {
    let shown = show(name);
    let text = match catalog.similar_tools(name).as_slice() {
        [] => format!("there is no tool `{shown}` here; list the tools to see what there is"),
        near => format!(
            "there is no tool `{shown}` here; did you mean `{}`?",
            near.join("`, `")
        ),
    };
    EngineError::new(ErrorKind::UnknownTool, text)
}

/// The error for an address without a resource. Its details name the address, as MCP wants it.
#[must_use]
pub fn unknown_resource(uri: &str) -> EngineError {
    let text = format!(
        "there is no resource `{}` here; list the resources and templates to see what there is",
        show(uri)
    );
    EngineError::new(ErrorKind::UnknownResource, text).with_details(serde_json::json!({"uri": uri}).into())
}

/// The error for a prompt that is not there.
#[must_use]
pub fn unknown_prompt(name: &str) -> EngineError {
    let text = format!(
        "there is no prompt `{}` here; list the prompts to see what there is",
        show(name)
    );
    EngineError::new(ErrorKind::UnknownPrompt, text)
}

fn show(name: &str) -> String {
    name.chars().take(128).flat_map(char::escape_debug).collect()
}
