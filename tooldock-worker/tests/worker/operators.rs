//! What operators see and callers do not: printed lines and tracebacks.

use std::error::Error as _;

use rustix::process::{Signal, kill_process};
use serde_json::json;
use tooldock_engine::{EngineExt as _, RawJson};
use tooldock_worker::{LogStream, ToolTraceback};

use crate::{
    process::{process, serving_again, soon},
    shop::{call, cx, serve, serve_many, until},
};

const LOUD: &str = "
import os
from tooldock import tool

print('loading')

@tool
def say(text: str) -> str:
    print(text)
    os.write(2, f'{text} without a call\\n'.encode())
    return 'said'

@tool
def fail() -> str:
    secret_number = 7
    raise ValueError('bad value')
";

/// S86: what tools and processes print is kept for operators, escaped, told apart by stream and call, over restarts.
#[tokio::test]
async fn s86_printed_lines_are_kept_for_operators() {
    let (_tools, engine) = serve(LOUD).await;
    let old = engine.pid();
    let arguments = RawJson::from(json!({"text": "\u{1b}[31mhello"}));
    engine
        .call_tool(cx().with_request_id("r-1"), "say", arguments)
        .await
        .unwrap();
    kill_process(process(old.unwrap()), Signal::KILL).unwrap();
    serving_again(&engine, old).await;
    let find = |text: &str| {
        let mut lines = engine.log_tail(usize::MAX).into_iter();
        lines.find(|line| line.text == text)
    };
    let (said, raw) = ("\\u{1b}[31mhello", "\\u{1b}[31mhello without a call");
    soon(until(|| find(said).is_some() && find(raw).is_some())).await;
    let (said, raw) = (find(said).unwrap(), find(raw).unwrap());
    assert_eq!(
        (said.stream, said.request_id.as_deref()),
        (LogStream::Stdout, Some("r-1"))
    );
    assert!(said.time_ms > 1_700_000_000_000, "{said:?}");
    assert_eq!((raw.stream, raw.request_id), (LogStream::Stderr, None));
    let loads = || {
        let lines = engine.log_tail(usize::MAX);
        lines.iter().filter(|line| line.text == "loading").count()
    };
    soon(until(|| loads() == 2)).await;
    assert_eq!(engine.log_tail(1).len(), 1);
}

#[tokio::test]
async fn all_workers_of_a_namespace_print_to_one_log() {
    let (_tools, engine) = serve_many(LOUD, 3).await;
    let loads = || {
        let lines = engine.log_tail(usize::MAX);
        lines.iter().filter(|line| line.text == "loading").count()
    };
    soon(until(|| loads() == 3)).await;
}

#[tokio::test]
async fn the_traceback_of_a_tool_is_the_source_of_its_error() {
    let (_tools, engine) = serve(LOUD).await;
    let error = call(&engine, "fail", json!({})).await.unwrap_err();
    let traceback = error
        .source()
        .and_then(|source| source.downcast_ref::<ToolTraceback>());
    let traceback = &traceback.expect("is there").0;
    for part in ["tools.py", "in fail", "ValueError: bad value"] {
        assert!(traceback.contains(part), "{traceback}");
    }
    assert_eq!(error.to_string(), "Error calling tool 'fail': bad value");
}
