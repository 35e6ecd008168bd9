//! The one repair that arguments may get.

use std::collections::BTreeMap;

use serde_json::Value;
use tooldock_engine::{RawJson, json::ScanLimits};

use super::splice::splice;
use crate::layers::judge::{
    Judge,
    problem::{Problem, Step},
};

/// Values that one repair may change.
pub(super) const MOST_REPAIRS: usize = 100;

/// What happens to one value.
#[derive(Debug)]
pub(super) enum Edit {
    /// The parameter is taken out.
    Drop,
    /// The value is replaced.
    Replace(RawJson),
}

/// The arguments with every value repaired that can be; nothing if there is none, or there are too many.
pub(super) fn repair(
    judge: &Judge,
    arguments: &RawJson,
    value: &Value,
    problems: &[Problem],
) -> Option<RawJson> {
    let mut edits = BTreeMap::new();
    for problem in problems {
        if let Some(edit) = edit(judge, at(value, &problem.place)?, problem) {
            edits.insert(problem.place.as_slice(), edit);
        }
    }
    if edits.is_empty() || edits.len() > MOST_REPAIRS {
        return None;
    }
    splice(arguments, &edits)
}

/// The repair of the value that has `problem`, if the table of [`ArgumentRepair`](super::ArgumentRepair) has one.
fn edit(judge: &Judge, value: &Value, problem: &Problem) -> Option<Edit> {
    let wants = |name: &str| problem.wanted.iter().any(|wanted| wanted == name);
    match value {
        Value::Null => {
            let [Step::Name(name)] = problem.place.as_slice() else {
                return None;
            };
            // Only what the schema names is a parameter; a null under any other name is data.
            judge.schema["properties"].get(name).map(|_| Edit::Drop)
        }
        Value::String(text) => {
            let text = text.trim();
            let truth = text.to_ascii_lowercase();
            let (fits, json) = match text.as_bytes().first()? {
                b'[' => (wants("array"), text),
                b'{' => (wants("object"), text),
                b'-' | b'0'..=b'9' => (wants("integer") || wants("number"), text),
                _ => (wants("boolean") && matches!(&*truth, "true" | "false"), &*truth),
            };
            let json = fits.then(|| RawJson::scan(json.to_owned(), ScanLimits::MESSAGE).ok());
            json.flatten().map(Edit::Replace)
        }
        _ => None,
    }
}

/// The value at `place` inside `value`.
fn at<'v>(value: &'v Value, place: &[Step]) -> Option<&'v Value> {
    place.iter().try_fold(value, |value, step| match step {
        Step::Name(name) => value.get(name),
        Step::Index(index) => value.get(index),
    })
}
