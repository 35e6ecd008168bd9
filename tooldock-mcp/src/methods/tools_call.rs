//! `tools/call`: runs a tool.

use tooldock_engine::{Catalog, EngineRequest, RawJson, Tool, fixed::unknown_tool};

use crate::{
    call::Running,
    http::mirrored,
    methods::{Turn, tool_result::encode, work::Work},
    model::missing_capabilities,
    refusal::{Refusal, code},
    revision::Era,
    wire::{Params, Request, names::CLIENT_CAPABILITIES},
};

pub(crate) async fn answer(turn: Turn, request: Request) -> Result<Running, Refusal> {
    let params = &request.params;
    let arguments = arguments(params)?;
    let work = Work::begin(turn, &request).await?;
    let (turn, catalog) = (&work.turn, &work.catalog);
    let tool = find(turn, catalog, params)?;
    if let (Some(headers), Era::Modern) = (&turn.inner().info.headers, turn.era()) {
        mirrored::check(catalog, &tool.name, &arguments, headers)?;
    }
    require(tool, turn, params)?;
    let call = EngineRequest::call_tool(tool.name.clone(), arguments);
    work.run(call, encode)
}

fn arguments(params: &Params) -> Result<RawJson, Refusal> {
    match params.get("arguments") {
        None => Ok(RawJson::empty_object()),
        Some(none) if none.is_null() => Ok(RawJson::empty_object()),
        Some(arguments) if arguments.is_object() => Ok(arguments.clone()),
        Some(_) => Err(Refusal::params("`params.arguments` must be an object")),
    }
}

/// The tool, if the caller may use it.
fn find<'a>(turn: &Turn, catalog: &'a Catalog, params: &Params) -> Result<&'a Tool, Refusal> {
    let name = params
        .text("name")
        .ok_or_else(|| Refusal::params("`params.name` must be a text"))?;
    let tool = catalog.tool(&name).map(|tool| &**tool);
    tool.ok_or_else(|| Refusal::dispatched(&unknown_tool(catalog, &name), turn.era()))
}

/// Refuses a modern client that does not declare what the tool cannot do without; others are told when the tool asks.
fn require(tool: &Tool, turn: &Turn, params: &Params) -> Result<(), Refusal> {
    let (Some(required), Era::Modern) = (&tool.requires, turn.era()) else {
        return Ok(());
    };
    let Some(missing) = missing_capabilities(required, params.meta().get(CLIENT_CAPABILITIES)) else {
        return Ok(());
    };
    let data = serde_json::json!({"requiredCapabilities": missing});
    let text = format!(
        "the tool `{}` needs a client with the capabilities that `data` names",
        tool.name
    );
    Err(Refusal::bad(code::MISSING_CAPABILITY, text).with_data(data.into()))
}
