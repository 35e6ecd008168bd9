//! `tools/call`: runs a tool.

use tooldock_engine::{Catalog, EngineError, EngineRequest, ErrorKind, RawJson, Tool, fixed::unknown_tool};

use crate::{
    call::{Running, Voice, Wishes},
    connection::Reply,
    http::mirrored,
    methods::{Turn, tool_result::encode},
    model::missing_capabilities,
    refusal::{Refusal, code},
    revision::Era,
    wire::{MessageId, Params, Request, names::CLIENT_CAPABILITIES},
};

pub(crate) async fn answer(turn: Turn, request: Request) -> Result<Reply, Refusal> {
    let Request { id, params, .. } = request;
    let arguments = arguments(&params)?;
    let wishes = wishes(&turn, &params)?;
    let cancel = turn.cancel_token();
    let cx = turn.context(params.meta()).with_cancel(cancel.clone());
    let catalog = turn.catalog(&cx).await?;
    let tool = find(&turn, &catalog, &params)?;
    let info = &turn.inner().info;
    if let (Some(headers), Era::Modern) = (&info.headers, turn.era()) {
        mirrored::check(&catalog, &tool.name, &arguments, headers)?;
    }
    require(tool, &turn, &params)?;
    let (cx, notes) = match wishes.open().filter(|_| info.streams) {
        Some((client, notes)) => (cx.with_client(client), Some(notes)),
        None => (cx, None),
    };
    let entered = turn.enter(&id, cancel.clone())?;

    let voice = Voice::new(turn.revision(), wishes);
    let patience = info.streams.then_some(turn.inner().server.settings().keep_alive);
    let (encoder, engine, stop) = (
        turn.encoder(Some(&catalog)),
        turn.mount.engine.clone(),
        cancel.clone(),
    );
    let call = EngineRequest::call_tool(tool.name.clone(), arguments);
    let echo = id.clone();
    let work = async move {
        let _entered = entered;
        let outcome = tokio::select! {
            biased;
            outcome = engine.serve(cx, call) => outcome,
            () = stop.cancelled() => Err(EngineError::new(ErrorKind::Cancelled, "the call was cancelled")),
        };
        encode(&encoder, &id, outcome)
    };
    let calls = &turn.inner().server.shared().calls;
    let running = Running::start(echo, work, turn.lifetime(), cancel, calls, (notes, voice));
    drop(turn);
    Ok(running.reply(patience).await)
}

fn arguments(params: &Params) -> Result<RawJson, Refusal> {
    match params.get("arguments") {
        None => Ok(RawJson::empty_object()),
        Some(none) if none.is_null() => Ok(RawJson::empty_object()),
        Some(arguments) if arguments.is_object() => Ok(arguments.clone()),
        Some(_) => Err(Refusal::params("`params.arguments` must be an object")),
    }
}

fn wishes(turn: &Turn, params: &Params) -> Result<Wishes, Refusal> {
    let token = params.meta().get("progressToken").cloned().map(MessageId::new);
    if token == Some(None) {
        return Err(Refusal::params(
            "`params._meta.progressToken` must be a text of at most 256 bytes or a 64-bit integer",
        ));
    }
    Ok(Wishes {
        progress: token.flatten(),
        level: turn.log_level(params.meta()),
    })
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
