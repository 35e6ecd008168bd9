//! Programs that others wrote judge the OpenAPI document of a namespace and the routes it names.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use tooldock_tests::{Gateway, needed};

/// A namespace of functions that have an answer to whatever fits their schemas.
fn start() -> (Gateway, String) {
    let gateway = Gateway::start(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/total")));
    let url = format!("{}/total", gateway.base_url());
    (gateway, url)
}

/// Runs a judge to its end and returns what it prints.
fn judge(words: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(needed("TOOLDOCK_PYTHON_JUDGES"));
    let output = tooldock_tests::judge(command.args(words).current_dir(folder.path())).unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{words:?}: {}\n{told}\n{complaints}",
        output.status
    );
    told
}

/// Runs a script of ours against the namespace and reads the line it prints.
fn report(script: &str, gateway: &Gateway, url: &str) -> Value {
    let path = format!("{}/judges/python/{script}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&judge(&[&path, url, gateway.token()])).unwrap()
}

/// Sends what schemathesis makes of the document; `rules` say which phases, and what may not happen.
fn explore(gateway: &Gateway, url: &str, rules: &[&str]) -> String {
    let (document, header) = (
        format!("{url}/openapi.json"),
        format!("Authorization: Bearer {}", gateway.token()),
    );
    let fixed = [
        "-m",
        "schemathesis.cli",
        "run",
        &document,
        "--url",
        url,
        "--header",
        &header,
        "--seed",
        "1",
    ];
    judge(&[&fixed[..], rules].concat())
}

/// How many operations the namespace has.
fn tools(gateway: &Gateway) -> usize {
    let list = gateway.http().get("/total/tools").body;
    list["tools"].as_array().unwrap().len()
}

#[test]
fn the_document_is_valid() {
    let (gateway, url) = start();
    assert_eq!(
        report("validate.py", &gateway, &url),
        json!({"operations": tools(&gateway)})
    );
}

#[test]
fn open_webui_gets_one_working_function_of_each_tool() {
    let (gateway, url) = start();
    let seen = report("webui.py", &gateway, &url);
    let functions = seen.as_object().unwrap();
    assert_eq!(functions.len(), tools(&gateway));
    for (name, function) in functions {
        assert_eq!(
            (&function["status"], &function["described"]),
            (&json!(200), &json!(true)),
            "{name}: {function}"
        );
        assert_eq!(function["unsent"], json!([]), "{name}");
    }
    for (name, arguments, value) in [
        ("ping", json!([]), json!("pong")),
        ("successor", json!(["n"]), json!(42)),
        ("reverse", json!(["keep", "values"]), json!([])),
        ("other", json!(["color", "how"]), json!("green")),
        (
            "summarize",
            json!(["text"]),
            json!({"characters": 12, "words": ["one", "fine", "day"], "longest": "fine"}),
        ),
    ] {
        assert_eq!(
            (&functions[name]["arguments"], &functions[name]["value"]),
            (&arguments, &value),
            "{name}"
        );
    }
}

#[test]
fn examples_get_documented_statuses_and_promised_results() {
    let (gateway, url) = start();
    let checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,\
                  positive_data_acceptance";
    explore(&gateway, &url, &["--phases", "examples", "--checks", checks]);
}

/// What we take though the schema does not allow it is documented: `null` for a body or for an argument with a default, numerals
/// in texts. Of the points inside points the document says less than the tool knows.
#[test]
fn no_input_at_all_makes_the_gateway_fail_or_break_its_word() {
    let (gateway, url) = start();
    let without = "negative_data_rejection,positive_data_acceptance";
    explore(
        &gateway,
        &url,
        &[
            "--phases",
            "coverage,fuzzing",
            "--max-examples",
            "60",
            "--exclude-checks",
            without,
        ],
    );
}
