//! What a tool returned, as the plain JSON that REST answers with.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use tooldock_engine::{
    Catalog, EngineError, ErrorKind, RawJson, Tool, ToolName, ToolOutput, json::ScanLimits,
};

/// Whether the structured results of a tool are `{"result": value}` for a value that is no object.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Wrapping(ToolName);

/// Reads, once per catalog, whether the results of `tool` are wrapped.
pub(crate) fn is_wrapped(catalog: &Catalog, tool: &Tool) -> bool {
    #[derive(Deserialize)]
    struct Mark {
        #[serde(rename = "x-fastmcp-wrap-result", default)]
        wraps: bool,
    }
    let read = || {
        let mark = tool.output_schema.as_ref().map(RawJson::parse::<Mark>);
        matches!(mark, Some(Ok(Mark { wraps: true })))
    };
    *catalog.derived(Wrapping(tool.name.clone()), read)
}

/// The body for `output`.
///
/// # Errors
/// The tool's own failure, with its text.
pub(crate) fn answer(output: &ToolOutput, wrapped: bool) -> Result<RawJson, EngineError> {
    let blocks: Vec<&RawValue> = output.content.parse().map_err(|error| {
        EngineError::new(
            ErrorKind::Internal,
            "the engine answered with content that is no list",
        )
        .with_source(error)
    })?;
    if output.failed {
        return Err(failed(&blocks, output.structured.as_ref()));
    }
    if let Some(structured) = &output.structured {
        let inner = if wrapped { unwrap(structured) } else { None };
        return Ok(inner.unwrap_or_else(|| structured.clone()));
    }
    let mut items: Vec<RawJson> = blocks
        .into_iter()
        .map(|block| item(&output.content, block))
        .collect();
    Ok(match items.len() {
        0 => RawJson::null(),
        1 => items.remove(0),
        _ => RawJson::array(&items),
    })
}

fn unwrap(structured: &RawJson) -> Option<RawJson> {
    #[derive(Deserialize)]
    struct Wrapper<'a> {
        #[serde(borrow)]
        result: &'a RawValue,
    }
    let wrapper: Wrapper<'_> = structured.parse().ok()?;
    Some(structured.part(wrapper.result))
}

/// The members of a content block, of whatever type, that decide what it becomes.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    text: Option<String>,
    data: Option<String>,
    #[serde(rename = "mimeType")]
    mime_type: Option<String>,
    #[serde(borrow)]
    resource: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Resource<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// One content block as a value.
fn item(content: &RawJson, block: &RawValue) -> RawJson {
    let whole = || content.part(block);
    let Ok(parts) = serde_json::from_str::<Block<'_>>(block.get()) else {
        return whole();
    };
    match &parts {
        Block { text: Some(text), .. } if parts.kind == "text" => from_text(text),
        Block {
            data: Some(data),
            mime_type: Some(mime_type),
            ..
        } => RawJson::string(&format!("data:{mime_type};base64,{data}")),
        Block {
            resource: Some(resource),
            ..
        } => match serde_json::from_str::<Resource<'_>>(resource.get()) {
            Ok(Resource { text }) => from_text(&text),
            Err(_) => content.part(resource),
        },
        _ => whole(),
    }
}

/// How deep and wide a text may be that a tool wrote as JSON; its bytes are bounded where it entered.
const TEXT: ScanLimits = ScanLimits {
    depth: 500,
    values: 16 << 20,
};

/// Text that is a JSON object or array as that, any other text as a string.
fn from_text(text: &str) -> RawJson {
    if text.trim_start().starts_with(['{', '['])
        && let Ok(json) = RawJson::scan(text.to_owned(), TEXT)
    {
        return json;
    }
    RawJson::string(text)
}

/// The error of a failed tool: what it says as text, and its result in `details`.
fn failed(blocks: &[&RawValue], structured: Option<&RawJson>) -> EngineError {
    let text = failure(blocks);
    let error = |text| EngineError::new(ErrorKind::ToolFailed, text);
    match structured {
        // A text that only repeats the result would be JSON within a text.
        Some(details) if text == details.as_str() => {
            error("the tool failed; `details` is its result".to_owned()).with_details(details.clone())
        }
        Some(details) => error(text).with_details(details.clone()),
        None => error(text),
    }
}

/// What a failed tool says: its text blocks, one below the other.
fn failure(blocks: &[&RawValue]) -> String {
    let texts = blocks
        .iter()
        .filter_map(|block| serde_json::from_str::<Block<'_>>(block.get()).ok()?.text);
    let text = texts.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        return "the tool failed and says nothing about it; its log may tell more".to_owned();
    }
    text
}
