//! `tools/call`: runs a tool.

use tooldock_engine::{
    Catalog, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson, Tool, ToolOutput,
    error::{McpAnswer, Result as EngineResult},
    fixed::unknown_tool,
    json::ObjectWriter,
};

use crate::{
    call::{Running, Voice, Wishes},
    connection::Reply,
    methods::{Turn, turn::Encoder},
    model::missing_capabilities,
    refusal::{Refusal, code},
    revision::{Era, Feature, Revision},
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
    let (cx, notes) = match wishes.open().filter(|_| info.streams) {
        Some((client, notes)) => (cx.with_client(client), Some(notes)),
        None => (cx, None),
    };
    let Some(entered) = turn.calls().enter(&id, cancel.clone()) else {
        return Err(Refusal::bad(
            code::INVALID_REQUEST,
            "a request of the same `id` still runs; give each its own",
        ));
    };

    let voice = Voice::new(turn.revision(), wishes);
    let patience = info.streams.then_some(turn.inner().server.settings().keep_alive);
    let (encoder, engine, stop) = (turn.encoder(), turn.mount.engine.clone(), cancel.clone());
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

/// The tool, if the caller may use it and its client can do what the tool needs.
fn find<'a>(turn: &Turn, catalog: &'a Catalog, params: &Params) -> Result<&'a Tool, Refusal> {
    let name = params
        .text("name")
        .ok_or_else(|| Refusal::params("`params.name` must be a text"))?;
    let tool = catalog.tool(&name);
    let tool = tool.ok_or_else(|| Refusal::dispatched(&unknown_tool(catalog, &name), turn.era()))?;
    let (Some(required), Era::Modern) = (&tool.requires, turn.era()) else {
        return Ok(tool);
    };
    match missing_capabilities(required, params.meta().get(CLIENT_CAPABILITIES)) {
        None => Ok(tool),
        Some(missing) => {
            let data = serde_json::json!({"requiredCapabilities": missing});
            let text = format!("the tool `{name}` needs a client with the capabilities that `data` names");
            Err(Refusal::bad(code::MISSING_CAPABILITY, text).with_data(data.into()))
        }
    }
}

/// The response that tells how a call ended.
fn encode(encoder: &Encoder, id: &MessageId, outcome: EngineResult<EngineReply>) -> RawJson {
    let error = match outcome {
        Ok(EngineReply::Tool(output)) => return encode_output(encoder, id, &output),
        Ok(EngineReply::InputRequired(_)) => EngineError::new(
            ErrorKind::InputRequired,
            "the tool needs an answer from the client, and it cannot be asked here",
        ),
        Ok(_) => EngineError::new(
            ErrorKind::Internal,
            "the namespace did not answer the call as a tool call",
        ),
        Err(error) => error,
    };
    match error.kind().row().mcp {
        McpAnswer::Result => encode_output(encoder, id, &ToolOutput::failure(error.message())),
        McpAnswer::Error { .. } => {
            Refusal::dispatched(&error, encoder.revision.era())
                .answer(Some(id))
                .body
        }
    }
}

fn encode_output(encoder: &Encoder, id: &MessageId, output: &ToolOutput) -> RawJson {
    // Some clients check `structuredContent` even on failures, so a failure has none.
    let structured = output
        .structured
        .as_ref()
        .filter(|value| !output.failed && fits(value, encoder.revision));
    let room = output.content.len()
        + structured.map_or(0, RawJson::len)
        + output.meta.as_ref().map_or(0, RawJson::len);
    encoder.result(id, room, output.meta.as_ref(), |out: &mut ObjectWriter| {
        out.raw("content", &output.content)
            .maybe("structuredContent", structured);
        out.flag("isError", output.failed);
    })
}

fn fits(structured: &RawJson, revision: Revision) -> bool {
    revision.has(Feature::AnyStructured) || (revision.has(Feature::Structured) && structured.is_object())
}
