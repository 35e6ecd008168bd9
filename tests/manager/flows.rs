//! Whole flows, as a model and a person go about them, driven by clients of others.

mod install;
mod secret;
mod translation;

use serde_json::{Value, json};

pub(crate) use self::install::registry;
use crate::clients::Client;
use crate::pair::Pair;

/// A call, and what has to come of it.
struct Step {
    tool: &'static str,
    arguments: Value,
    outcome: Outcome,
}

enum Outcome {
    /// A success whose value has these values at these places.
    Gives(Vec<(&'static str, Value)>),
    /// A failure that says exactly this.
    Refuses(String),
    /// A failure whose value has these values at these places.
    Fails(Vec<(&'static str, Value)>),
}

fn step(tool: &'static str, arguments: Value, values: &[(&'static str, Value)]) -> Step {
    let outcome = Outcome::Gives(values.to_vec());
    Step {
        tool,
        arguments,
        outcome,
    }
}

fn refusal(tool: &'static str, arguments: Value, text: &str) -> Step {
    let outcome = Outcome::Refuses(text.to_owned());
    Step {
        tool,
        arguments,
        outcome,
    }
}

fn failure(tool: &'static str, arguments: Value, values: &[(&'static str, Value)]) -> Step {
    let outcome = Outcome::Fails(values.to_vec());
    Step {
        tool,
        arguments,
        outcome,
    }
}

/// Has a client take all steps in one session, checks each, and gives the values.
fn take(client: Client, pair: &Pair, steps: &[Step]) -> Vec<Value> {
    let calls: Vec<Value> = steps
        .iter()
        .map(|step| json!([step.tool, step.arguments]))
        .collect();
    let seen = client.call(pair, &Value::Array(calls));
    assert_eq!(seen.len(), steps.len());
    for (at, (step, seen)) in steps.iter().zip(&seen).enumerate() {
        let place = format!("{client:?}, step {at}, {}", step.tool);
        let values = match &step.outcome {
            Outcome::Refuses(text) => {
                assert!(seen.failed, "{place}: {seen:?}");
                assert_eq!(&seen.text, text, "{place}");
                continue;
            }
            Outcome::Gives(values) => {
                assert!(!seen.failed, "{place}: {seen:?}");
                values
            }
            Outcome::Fails(values) => {
                assert!(seen.failed, "{place}: {seen:?}");
                values
            }
        };
        for (pointer, value) in values {
            let found = seen.value.pointer(pointer).unwrap_or(&Value::Null);
            assert_eq!(found, value, "{place} at {pointer} of {}", seen.value);
        }
    }
    seen.into_iter().map(|one| one.value).collect()
}

/// The text of a JSON value.
fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
