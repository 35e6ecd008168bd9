//! What a tool says while it runs: log notes and progress; and one that runs longer than its stream.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;
use tooldock::{
    CallContext, RawJson, ToolOutput,
    engine::{
        context::{LogLevel, Note},
        fixed::StaticEngineBuilder,
    },
};

use super::tool;

/// Between two notes.
const PAUSE: Duration = Duration::from_millis(50);

/// Longer than a connection to the gateway under test carries the call.
const LONG: Duration = Duration::from_millis(2500);

pub(super) fn add(engine: StaticEngineBuilder) -> StaticEngineBuilder {
    engine
        .tool(
            tool("test_tool_with_logging", "Send three log notes."),
            async |cx: CallContext, _| {
                for note in [
                    "Tool execution started",
                    "Tool processing data",
                    "Tool execution completed",
                ] {
                    log(&cx, note);
                    sleep(PAUSE).await;
                }
                Ok(ToolOutput::text("Sent three log notes."))
            },
        )
        .tool(
            tool(
                "test_logging_tool",
                "Send a log note to those who asked for notes.",
            ),
            async |cx: CallContext, _| {
                log(&cx, "A note for those who asked.");
                Ok(ToolOutput::text("Sent one log note."))
            },
        )
        .tool(
            tool("test_tool_with_progress", "Report progress three times."),
            async |cx: CallContext, _| {
                for done in [0, 50, 100] {
                    progress(&cx, done);
                    sleep(PAUSE).await;
                }
                Ok(ToolOutput::text("Reported progress three times."))
            },
        )
        .tool(
            tool(
                "test_streaming_elicitation",
                "Say something, and ask nothing on the stream.",
            ),
            async |cx: CallContext, _| {
                progress(&cx, 100);
                Ok(ToolOutput::text("Done without a question."))
            },
        )
        .tool(
            tool(
                "test_reconnection",
                "Answer after the stream of the call has ended.",
            ),
            async |_cx, _| {
                sleep(LONG).await;
                Ok(ToolOutput::text("Answered after the stream had ended."))
            },
        )
}

fn log(cx: &CallContext, text: &str) {
    cx.client().notify(Note::Log {
        level: LogLevel::Info,
        logger: None,
        data: RawJson::string(text),
    });
}

fn progress(cx: &CallContext, done: u32) {
    cx.client().notify(Note::Progress {
        progress: RawJson::from(json!(done)),
        total: Some(RawJson::from(json!(100))),
        message: Some(format!("Completed step {done} of 100")),
    });
}
