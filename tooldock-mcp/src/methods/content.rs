//! Content of a result, as each revision has it.

use serde::Deserialize;
use serde_json::value::RawValue;
use tooldock_engine::{RawJson, ToolOutput, json::ObjectWriter};

use super::tool_result::fits;
use crate::revision::{Feature, Revision};

/// The kinds of content that not every revision knows.
const LATER: [(&str, Feature); 2] = [("audio", Feature::Audio), ("resource_link", Feature::Links)];

/// What is read of a block.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Block {
    r#type: String,
    name: Option<String>,
    uri: Option<String>,
    mime_type: Option<String>,
}

/// The content of `output` for a client of `revision`: kinds of blocks that it does not know become texts, and a value that can only be
/// told in a text is.
pub(super) fn fit(output: &ToolOutput, revision: Revision) -> RawJson {
    let blocks: Vec<&RawValue> = match LATER.iter().all(|(_, feature)| revision.has(*feature)) {
        true => return output.content.clone(),
        false => output.content.parse().unwrap_or_default(),
    };
    let mut blocks: Vec<RawJson> = blocks
        .into_iter()
        .map(|block| replace(output.content.part(block), revision))
        .collect();
    let lost = output.structured.as_ref().filter(|value| !fits(value, revision));
    if let (true, Some(value)) = (blocks.is_empty(), lost) {
        blocks.push(text(value.as_str()));
    }
    RawJson::array(&blocks)
}

/// A message of a prompt.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: &'a RawValue,
}

/// The messages of a prompt for a client of `revision`.
pub(super) fn fit_messages(messages: &RawJson, revision: Revision) -> RawJson {
    if LATER.iter().all(|(_, feature)| revision.has(*feature)) {
        return messages.clone();
    }
    let list: Vec<&RawValue> = messages.parse().unwrap_or_default();
    let fitted = list.into_iter().map(|raw| {
        let message = messages.part(raw);
        let Ok(read) = message.parse::<Message<'_>>() else {
            return message;
        };
        let mut out = ObjectWriter::with_capacity(message.len() + 32);
        out.members(&message, &["content"])
            .raw("content", &replace(message.part(read.content), revision));
        out.finish()
    });
    RawJson::array(&fitted.collect::<Vec<_>>())
}

fn replace(block: RawJson, revision: Revision) -> RawJson {
    let Ok(read) = block.parse::<Block>() else {
        return block;
    };
    let later = LATER.iter().find(|(kind, _)| *kind == read.r#type);
    if later.is_none_or(|(_, feature)| revision.has(*feature)) {
        return block;
    }
    match (read.name, read.uri, read.mime_type) {
        (Some(name), Some(uri), _) => text(&format!("{name}: {uri}")),
        (None, Some(uri), _) => text(&uri),
        (_, None, kind) => text(&format!(
            "[{}: left out, protocol revision {revision} has no such content]",
            kind.unwrap_or(read.r#type)
        )),
    }
}

fn text(text: &str) -> RawJson {
    let mut block = ObjectWriter::with_capacity(text.len() + 32);
    block.string("type", "text").string("text", text);
    block.finish()
}
