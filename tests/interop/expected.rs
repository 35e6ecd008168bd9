//! What every client has to see, whatever it is.

use serde_json::{Value, json};

use crate::client::{Client, Skill};

/// Compares what a client saw of the tools with what there is to see.
pub(crate) fn compare_calls(client: &Client, seen: &Value) -> Result<(), String> {
    compare(
        seen,
        &[
            ("protocol", json!(client.2)),
            ("tools", json!(["add", "echo", "fail", "rest", "say_hello"])),
            (
                "hello",
                json!({"isError": false, "text": "Hello, Ada!", "structured": {"result": "Hello, Ada!"}}),
            ),
            (
                "add",
                json!({"isError": false, "text": "3.5", "structured": {"result": 3.5}}),
            ),
            (
                "raises",
                json!({"isError": true, "text": "Error calling tool 'fail': on purpose"}),
            ),
        ],
    )?;
    let refused = &seen["bad_arguments"];
    if refused["isError"] != true || !mentions(&refused["text"], "`arguments.a` must be a number") {
        return Err(format!(
            "`bad_arguments` is {refused}, which is no tool error that names `a`"
        ));
    }
    let unknown = &seen["unknown"];
    let told = unknown["code"] == -32602 && mentions(&unknown["message"], "no_such_tool");
    if client.3 != Skill::Calls && !told {
        return Err(format!(
            "`unknown` is {unknown}, which is no -32602 that names the tool"
        ));
    }
    Ok(())
}

/// Compares what a client heard with what there was to hear.
pub(crate) fn compare_talk(client: &Client, seen: &Value) -> Result<(), String> {
    let mut seen = seen.clone();
    for member in ["logs", "progress"] {
        // Some clients hand each note to a task of its own, so they do not keep the order.
        if let Some(notes) = seen[member].as_array_mut() {
            notes.sort_by_key(Value::to_string);
        }
    }
    compare(
        &seen,
        &[
            ("protocol", json!(client.2)),
            (
                "counted",
                json!({"isError": false, "text": "1", "structured": {"result": 1}}),
            ),
            ("progress", json!([[1.0, 2.0, "step 1"], [2.0, 2.0, "step 2"]])),
            (
                "logs",
                json!([
                    "logged 1",
                    "logged 1",
                    "logged 2",
                    "printed 1",
                    "printed 1",
                    "printed 2"
                ]),
            ),
            ("cancelled", json!(true)),
            ("changed", json!(true)),
        ],
    )
}

/// Names the first member that is not what it has to be.
pub(crate) fn compare(seen: &Value, expected: &[(&str, Value)]) -> Result<(), String> {
    let differs = |(member, value): &&(&str, Value)| !alike(&seen[*member], value);
    match expected.iter().find(differs) {
        Some((member, value)) => Err(format!("`{member}` is {}, not {value}", seen[*member])),
        None => Ok(()),
    }
}

/// Whether two values are equal, where `1` and `1.0` are: clients differ in how they write a number.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        _ => one == other,
    }
}

fn mentions(text: &Value, part: &str) -> bool {
    text.as_str().is_some_and(|text| text.contains(part))
}
