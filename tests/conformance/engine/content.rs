//! Texts, every other kind of content, and a tool that fails.

use serde_json::{Value, json};
use tooldock::{RawJson, ToolOutput, engine::fixed::StaticEngineBuilder};

use super::{PIXEL, tool};

/// A sound of eight samples that nobody hears.
const SILENCE: &str = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

pub(super) fn add(engine: StaticEngineBuilder) -> StaticEngineBuilder {
    let text = json!({"type": "text", "text": "This is a simple text response for testing."});
    let image = json!({"type": "image", "data": PIXEL, "mimeType": "image/png"});
    let audio = json!({"type": "audio", "data": SILENCE, "mimeType": "audio/wav"});
    let resource = json!({"type": "resource", "resource": {
        "uri": "test://embedded-resource", "mimeType": "text/plain", "text": "An embedded resource."}});
    let mixed = [&text, &image, &resource].map(Clone::clone).to_vec();
    let failure = async |_cx, _arguments| Ok(ToolOutput::failure("This tool intentionally returns an error"));
    [
        ("test_simple_text", "Give one text block.", vec![text]),
        ("test_image_content", "Give a picture.", vec![image]),
        ("test_audio_content", "Give a sound.", vec![audio]),
        (
            "test_embedded_resource",
            "Give a text as a resource.",
            vec![resource],
        ),
        (
            "test_multiple_content_types",
            "Give three kinds of content.",
            mixed,
        ),
    ]
    .into_iter()
    .fold(engine, |engine, (name, description, blocks)| {
        let output = give(blocks);
        engine.tool(tool(name, description), move |_cx, _arguments| {
            let output = output.clone();
            async { Ok(output) }
        })
    })
    .tool(tool("test_error_handling", "Fail on purpose."), failure)
}

fn give(blocks: Vec<Value>) -> ToolOutput {
    ToolOutput {
        content: RawJson::from(Value::Array(blocks)),
        ..ToolOutput::text("")
    }
}
