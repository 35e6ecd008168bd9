//! The error that tells a caller what is wrong with arguments or a result.

use serde_json::{Value, json};
use tooldock_engine::{EngineError, ErrorKind, ToolName, catalog::clean_prose};

use super::{
    SchemaProblem, Side,
    problem::{Problem, Step, cut},
};

/// Problems that are told.
pub(in crate::layers) const MOST_TOLD: usize = 10;
/// Bytes of the text, and of the details.
const MOST_BYTES: usize = 4 << 10;

/// The error for a value that has these `problems`.
pub(in crate::layers) fn refuse(side: Side, tool: &ToolName, problems: &[Problem]) -> EngineError {
    let mut text = match side {
        Side::Arguments => format!("the arguments of `{tool}` do not fit its input schema:"),
        Side::Result => {
            format!("the result of `{tool}` does not fit its output schema; correct the tool or the schema:")
        }
    };
    let mut details = Vec::new();
    let mut size = 0;
    for problem in problems.iter().take(MOST_TOLD) {
        let line = line(side, problem);
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
    EngineError::new(side.kind(), text).with_details(json!({"errors": details}).into())
}

/// The error for arguments or a result that are no JSON after all.
pub(in crate::layers) fn unreadable(side: Side, tool: &ToolName, error: serde_json::Error) -> EngineError {
    let text = match side {
        Side::Arguments if error.to_string().starts_with("number out of range") => {
            format!(
                "the arguments of `{tool}` hold a number that is out of range; send it as text, if the tool takes that"
            )
        }
        Side::Arguments => format!("the arguments of `{tool}` cannot be read; send one JSON object"),
        Side::Result => {
            format!("the structured result of `{tool}` cannot be read; let it return a simpler value")
        }
    };
    EngineError::new(side.kind(), text).with_source(error)
}

/// The error for a call of a tool that has a schema by which nothing can be judged.
pub(super) fn unusable(side: Side, tool: &ToolName, problem: &SchemaProblem) -> EngineError {
    let text = format!(
        "the tool `{tool}` cannot be called: its {} {problem}; correct the schema and reload the namespace",
        side.schema_name()
    );
    EngineError::new(ErrorKind::Dependency, text)
}

fn line(side: Side, problem: &Problem) -> String {
    let (path, rule) = (problem.path(side.root()), &problem.rule);
    let line = match &problem.found {
        Some(found) => format!("\n- `{path}` {rule}, and is `{found}`"),
        None => format!("\n- `{path}` {rule}"),
    };
    clean_prose(&line).into_owned()
}

fn location(problem: &Problem) -> Vec<Value> {
    let steps = problem.place.iter().map(|step| match step {
        Step::Name(name) => json!(cut(name.clone())),
        Step::Index(index) => json!(index),
    });
    steps.collect()
}
