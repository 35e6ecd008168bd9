//! The error that tells a caller what is wrong with arguments.

use serde_json::{Value, json};
use tooldock_engine::{EngineError, ErrorKind, ToolName};

use super::problem::{Problem, Step, cut};

/// Problems that are told.
const MOST_TOLD: usize = 10;
/// Bytes of the text, and of the details.
const MOST_BYTES: usize = 4 << 10;

/// The error for arguments of `tool` that have these `problems`.
pub(super) fn refuse(tool: &ToolName, problems: &[Problem]) -> EngineError {
    let mut text = format!("the arguments of `{tool}` do not fit its input schema:");
    let mut details = Vec::new();
    let mut size = 0;
    for problem in problems.iter().take(MOST_TOLD) {
        let line = line(problem);
        let detail = json!({"loc": location(problem), "msg": problem.rule, "type": problem.keyword});
        size += detail.to_string().len() + 1;
        // Room for the last line and for what is around the details.
        if text.len() + line.len() > MOST_BYTES - 64 || size > MOST_BYTES - 64 {
            break;
        }
        text.push_str(&line);
        details.push(detail);
    }
    if details.len() < problems.len() {
        text.push_str("\n- and more; correct these first");
    }
    EngineError::new(ErrorKind::InvalidArguments, text).with_details(json!({"errors": details}).into())
}

/// The error for arguments that are no JSON after all.
pub(super) fn unreadable(tool: &ToolName, error: serde_json::Error) -> EngineError {
    let text = format!("the arguments of `{tool}` cannot be read; send one JSON object");
    EngineError::new(ErrorKind::InvalidArguments, text).with_source(error)
}

fn line(problem: &Problem) -> String {
    let (path, rule) = (problem.path(), &problem.rule);
    match &problem.found {
        Some(found) => format!("\n- `{path}` {rule}, and is `{found}`"),
        None => format!("\n- `{path}` {rule}"),
    }
}

fn location(problem: &Problem) -> Vec<Value> {
    let steps = problem.place.iter().map(|step| match step {
        Step::Name(name) => json!(cut(name.clone())),
        Step::Index(index) => json!(index),
    });
    steps.collect()
}
