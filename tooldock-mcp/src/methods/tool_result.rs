//! The answer to `tools/call`.

use tooldock_engine::{
    EngineReply, RawJson, ToolOutput,
    error::{McpAnswer, Result as EngineResult},
};

use crate::{
    methods::{Encoder, content},
    revision::{Feature, Revision},
    wire::MessageId,
};

/// The response that tells how a call ended.
pub(super) fn encode(encoder: &Encoder, id: &MessageId, outcome: EngineResult<EngineReply>) -> RawJson {
    match outcome {
        Ok(EngineReply::Tool(output)) => encode_output(encoder, id, &output),
        Err(error) if error.kind().row().mcp == McpAnswer::Result => {
            encode_output(encoder, id, &ToolOutput::failure(error.message()))
        }
        Ok(EngineReply::InputRequired(_)) => {
            let text = "the tool needs an answer from the client, and it cannot be asked here";
            encode_output(encoder, id, &ToolOutput::failure(text))
        }
        other => encoder.error(id, other),
    }
}

fn encode_output(encoder: &Encoder, id: &MessageId, output: &ToolOutput) -> RawJson {
    // Some clients check `structuredContent` even on failures, so a failure has none.
    let structured = output
        .structured
        .as_ref()
        .filter(|value| !output.failed && fits(value, encoder.revision));
    let content = content::fit(output, encoder.revision);
    let room =
        content.len() + structured.map_or(0, RawJson::len) + output.meta.as_ref().map_or(0, RawJson::len);
    encoder.result(id, room, output.meta.as_ref(), |out| {
        out.raw("content", &content)
            .maybe("structuredContent", structured);
        out.flag("isError", output.failed);
    })
}

pub(super) fn fits(structured: &RawJson, revision: Revision) -> bool {
    revision.has(Feature::AnyStructured) || (revision.has(Feature::Structured) && structured.is_object())
}
