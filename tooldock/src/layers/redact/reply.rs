//! Replies without known values.

use tooldock_engine::{
    EngineReply, RawJson,
    error::Result,
    secret::{Redactor, redact_json, redact_text},
};

/// `reply` without known values, in all parts that a client gets.
pub(super) fn redact_reply(redactor: &dyn Redactor, mut reply: EngineReply) -> Result<EngineReply> {
    let json = |part: &mut RawJson| redact_json(redactor, part).map(|clean| *part = clean);
    let text = |part: &mut String| {
        if let Some(clean) = redact_text(redactor, part) {
            *part = clean;
        }
    };
    match &mut reply {
        EngineReply::Tool(output) => {
            json(&mut output.content)?;
            output.structured.as_mut().map_or(Ok(()), json)?;
            output.meta.as_mut().map_or(Ok(()), json)?;
        }
        EngineReply::Resource(output) => json(&mut output.contents)?,
        EngineReply::Prompt(output) => {
            output.description.iter_mut().for_each(text);
            json(&mut output.messages)?;
        }
        EngineReply::Completion(completion) => completion.values.iter_mut().for_each(text),
        EngineReply::InputRequired(input) => json(&mut input.requests)?,
        // The kernel has no other today; one that this layer does not know is passed on.
        _ => {}
    }
    Ok(reply)
}
