//! What a tool of the manager is, and how it is put into an engine.

use std::{future::Future, sync::Arc, time::Duration};

use schemars::{
    JsonSchema, SchemaGenerator,
    generate::{Contract, SchemaSettings},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tooldock_engine::{
    CallContext, EngineError, ErrorKind, RawJson, Tool, ToolOutput, error::Result,
    fixed::StaticEngineBuilder, json::ObjectWriter,
};

use super::super::Manager;

/// A tool of the manager: one type without values in a file of its own.
pub(super) trait ManagementTool: Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// When to use it, and what comes next; written for a model.
    const DESCRIPTION: &'static str;
    /// What it changes.
    const EFFECT: Effect;
    /// How long it may take.
    const LIMIT: Duration = Duration::from_secs(30);
    /// Its arguments. Documentation of a field is what a model reads of it.
    type Input: DeserializeOwned + JsonSchema + Send + 'static;
    /// Its result. One that is no object is wrapped as `{"result": …}`.
    type Output: Serialize + JsonSchema + Send + 'static;

    /// Does the work.
    fn run(
        manager: &Manager,
        cx: &CallContext,
        input: Self::Input,
    ) -> impl Future<Output = Result<Self::Output>> + Send;

    /// Whether a result tells of a failure, so that clients see it as one.
    fn failed(_output: &Self::Output) -> bool {
        false
    }
}

/// What a tool changes (MCP 2025-11-25, Tools, *annotations*).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Reads,
    /// Nothing, but it asks servers elsewhere.
    #[cfg_attr(
        not(feature = "analysis"),
        expect(dead_code, reason = "its tools need the feature")
    )]
    Fetches,
    /// Adds something; asked twice it may be refused.
    Adds,
    /// Brings something into a state; asked twice it does nothing more.
    Sets,
    /// Puts something in the place of what was there.
    Replaces,
    /// Removes something; asked twice it does nothing more.
    Destroys,
    /// Lets something act that may do anything, also elsewhere.
    Acts,
}

impl Effect {
    fn annotations(self, title: &str) -> Value {
        let (reads, destroys, idempotent, open) = match self {
            Self::Reads => (true, false, true, false),
            Self::Fetches => (true, false, true, true),
            Self::Adds => (false, false, false, false),
            Self::Sets => (false, false, true, false),
            Self::Replaces => (false, true, false, false),
            Self::Destroys => (false, true, true, false),
            Self::Acts => (false, true, false, true),
        };
        if reads {
            return json!({"title": title, "readOnlyHint": true, "openWorldHint": open});
        }
        json!({"title": title, "readOnlyHint": false, "destructiveHint": destroys, "idempotentHint": idempotent, "openWorldHint": open})
    }
}

/// A row of the table of tools.
pub(super) struct Entry {
    pub(super) tool: Tool,
    mount: fn(Tool, StaticEngineBuilder, Arc<Manager>) -> StaticEngineBuilder,
}

impl Entry {
    /// Adds the tool to an engine.
    pub(super) fn mount(self, builder: StaticEngineBuilder, manager: Arc<Manager>) -> StaticEngineBuilder {
        (self.mount)(self.tool, builder, manager)
    }
}

/// The row of one tool.
pub(super) fn entry<T: ManagementTool>() -> Entry {
    let mut tool = Tool::new(
        T::NAME
            .parse()
            .expect("names of tools in the table are well formed"),
    );
    tool.description = Some(T::DESCRIPTION.to_owned());
    tool.annotations = Some(RawJson::from(T::EFFECT.annotations(&title(T::NAME))));
    tool.input_schema = RawJson::from(schema::<T::Input>(Contract::Deserialize));
    tool.output_schema = Some(RawJson::from(wrapped(schema::<T::Output>(Contract::Serialize))));
    tool.timeout = Some(T::LIMIT);
    Entry {
        tool,
        mount: mount::<T>,
    }
}

fn mount<T: ManagementTool>(
    tool: Tool,
    builder: StaticEngineBuilder,
    manager: Arc<Manager>,
) -> StaticEngineBuilder {
    builder.tool(tool, move |cx: CallContext, arguments: RawJson| {
        let manager = manager.clone();
        async move { call::<T>(&manager, &cx, &arguments).await }
    })
}

async fn call<T: ManagementTool>(
    manager: &Manager,
    cx: &CallContext,
    arguments: &RawJson,
) -> Result<ToolOutput> {
    // What is known of values by now is taken out of the answer; a store that cannot be read holds none that anybody could have.
    manager.secrets.read().await.ok();
    // As a tree, whose errors tell no places.
    let input = arguments.parse::<Value>().and_then(serde_json::from_value);
    let input = input.map_err(|error| EngineError::new(ErrorKind::InvalidArguments, error.to_string()))?;
    let output = T::run(manager, cx, input).await?;
    let value = RawJson::from_serialize(&output)
        .map_err(|error| EngineError::new(ErrorKind::Internal, "the result is no JSON").with_source(error))?;
    let structured = match value.is_object() {
        true => value.clone(),
        false => {
            let mut wrapper = ObjectWriter::with_capacity(value.len() + 16);
            wrapper.raw("result", &value);
            wrapper.finish()
        }
    };
    Ok(ToolOutput {
        structured: Some(structured),
        failed: T::failed(&output),
        ..ToolOutput::text(value.as_str())
    })
}

/// `List namespaces`.
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// The schema of a type, in one piece and without what says nothing to a model.
fn schema<T: JsonSchema>(contract: Contract) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        settings.contract = contract;
    });
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    schema.remove("title");
    schema.remove("description");
    schema.into()
}

/// The schema of a result as clients see it: an object.
fn wrapped(schema: Value) -> Value {
    if schema["type"] == "object" {
        return schema;
    }
    json!({"type": "object", "properties": {"result": schema}, "required": ["result"], "x-fastmcp-wrap-result": true})
}
