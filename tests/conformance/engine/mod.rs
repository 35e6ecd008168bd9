//! The suite's fixtures as an engine of Rust closures: each file adds what it is named after.

mod asking; // questions within a call
mod changing; // tools that change what is listed
mod content; // every kind of content
mod prompts;
mod resources;
mod rounds; // questions that a client of 2026-07-28 answers by sending the call again
mod saying; // notes of a running call
mod schemas; // schemas with more than types

use serde_json::{Value, json};
use tooldock::{
    RawJson, StaticEngine, Tool,
    engine::fixed::{StaticEngineBuilder, Updates},
};

pub(crate) use changing::Stage;

/// A picture of one pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/// Everything that stays while `stage` changes.
fn lasting() -> StaticEngineBuilder {
    let updates = Updates::default();
    let parts = [
        content::add,
        saying::add,
        asking::add,
        rounds::add,
        schemas::add,
        prompts::add,
    ];
    let engine = parts
        .into_iter()
        .fold(StaticEngine::builder(), |engine, add| add(engine));
    resources::add(engine, &updates)
}

/// A tool without arguments.
fn tool(name: &str, description: &str) -> Tool {
    let mut tool = Tool::new(name.parse().expect("a plain name"));
    tool.description = Some(description.to_owned());
    tool
}

/// A tool with one argument, a text.
fn tool_taking(argument: &str, name: &str, description: &str) -> Tool {
    let mut tool = tool(name, description);
    tool.input_schema = RawJson::from(form(argument, "string"));
    tool
}

/// The schema of an object with one member, which it needs.
fn form(member: &str, kind: &str) -> Value {
    json!({"type": "object", "properties": {member: {"type": kind}}, "required": [member]})
}
