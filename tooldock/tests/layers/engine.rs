//! Engines to put layers around.

use std::sync::Arc;

use serde_json::Value;
use tooldock::layers::{ArgumentRepair, ValidateLayer};
use tooldock_engine::{
    CallContext, Caller, Catalog, EngineError, EngineExt as _, EngineLayer, RawJson, StaticEngine, Tool,
    ToolEngine, ToolOutput, json::ScanLimits, testing::EngineMock,
};

pub(crate) fn cx() -> CallContext {
    CallContext::new(Caller::local(), "demo".parse().unwrap())
}

pub(crate) fn raw(text: &str) -> RawJson {
    RawJson::scan(text.to_owned(), ScanLimits::RESULT).unwrap()
}

pub(crate) fn tool(name: &str) -> Tool {
    Tool::new(name.parse().unwrap())
}

/// A tool `t` with this input schema.
pub(crate) fn taking(schema: &Value) -> Tool {
    let mut tool = tool("t");
    tool.input_schema = schema.into();
    tool
}

/// An engine with `tool`, which answers with its arguments.
pub(crate) fn echo(tool: Tool) -> StaticEngine {
    let handler = async |_cx, arguments: RawJson| Ok(ToolOutput::structured(&arguments));
    StaticEngine::builder().tool(tool, handler).build().unwrap()
}

/// An engine with a tool `t` of this output schema, which answers `output`.
pub(crate) fn promising(schema: &Value, output: ToolOutput) -> StaticEngine {
    let mut tool = tool("t");
    tool.output_schema = Some(schema.into());
    let handler = move |_cx, _arguments| std::future::ready(Ok(output.clone()));
    StaticEngine::builder().tool(tool, handler).build().unwrap()
}

/// An engine with tools of these names, which answer that they ran.
pub(crate) fn with_tools(names: &[&str]) -> StaticEngine {
    let handler = async |_cx, _arguments| Ok(ToolOutput::text("ran"));
    let add =
        |builder: tooldock_engine::fixed::StaticEngineBuilder, name: &&str| builder.tool(tool(name), handler);
    names.iter().fold(StaticEngine::builder(), add).build().unwrap()
}

/// A scripted engine with the tools `a`, `slow` with a limit of two seconds, and `blocking`, which holds a thread.
pub(crate) fn mock() -> Arc<EngineMock> {
    let mut slow = tool("slow");
    slow.timeout = Some(std::time::Duration::from_secs(2));
    let mut blocking = tool("blocking");
    blocking.blocking = true;
    let tools = [tool("a"), slow, blocking];
    let catalog = tools
        .into_iter()
        .fold(Catalog::builder(), |catalog, tool| catalog.tool(tool));
    Arc::new(EngineMock::new(catalog.build().unwrap()))
}

pub(crate) fn layered(layer: &impl EngineLayer, inner: impl ToolEngine) -> Arc<dyn ToolEngine> {
    layer.layer(&"demo".parse().unwrap(), Arc::new(inner))
}

/// What a tool with `schema` gets for `arguments`.
pub(crate) async fn judged(
    schema: &Value,
    repair: ArgumentRepair,
    arguments: &str,
) -> Result<String, EngineError> {
    let engine = layered(&ValidateLayer::new(repair), echo(taking(schema)));
    let output = engine.call_tool(cx(), "t", raw(arguments)).await?;
    Ok(output.structured.unwrap().as_str().to_owned())
}
