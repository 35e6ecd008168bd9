//! Whole flows, by clients that somebody else wrote.

use serde_json::{Value, json};

use crate::pair::Pair;

const CODE: &str = "import os\nimport iniconfig\nfrom tooldock import tool\n\n@tool\nasync def greet(name: str) -> str:\n    \"\"\"Greet somebody.\n\n    Args:\n        name: Who.\n    \"\"\"\n    return f\"Hello {name}, {len(os.environ['A_TOKEN'])}\"\n";

/// From nothing to a tool that works, as a model goes about it.
fn flow(client: &str) {
    let pair = Pair::start();
    let seen = pair.drive(
        client,
        &json!([
            ["list_namespaces", {}],
            ["create_namespace", {"name": "demo"}],
            ["add_requirement", {"namespace": "demo", "package": "iniconfig==2.0.0"}],
            ["write_tool", {"namespace": "demo", "filename": "a.py", "code": "x = 1"}],
            ["write_tool", {"namespace": "demo", "filename": "a.py", "code": CODE}],
            ["reload_core", {}],
            ["test_tool", {"namespace": "demo", "tool_name": "greet", "input": {"name": "Ada"}}],
            ["prepare_secret", {"key": "A_TOKEN"}],
        ]),
    );
    let failed: Vec<bool> = seen.iter().map(|one| one.failed).collect();
    assert_eq!(
        failed,
        [false, false, false, true, false, false, true, false],
        "{seen:#?}"
    );
    assert_eq!(seen[3].value["error"], "No @tool decorator found");
    let trouble = seen[6].value.to_string();
    assert!(
        trouble.contains("KeyError") && trouble.contains("A_TOKEN"),
        "{trouble}"
    );
    pair.set_secret("A_TOKEN", "12345678");
    let seen = pair.drive(
        client,
        &json!([
            ["reload_core", {}],
            ["test_tool", {"namespace": "demo", "tool_name": "greet", "input": {"name": "Ada"}}],
            ["list_tools", {"namespace": "demo"}],
            ["delete_namespace", {"name": "demo"}],
            ["reload_core", {}],
            ["list_namespaces", {}],
        ]),
    );
    assert_eq!(seen[1].value["result"]["result"], "Hello Ada, 8", "{seen:#?}");
    let tool = &seen[2].value["result"][0];
    assert_eq!((&tool["name"], &tool["served"]), (&json!("greet"), &json!(true)));
    let left: Vec<&Value> = seen[5].value["result"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(left, [&json!("shared")]);
}

#[test]
fn the_python_client_goes_from_nothing_to_a_tool_that_works() {
    flow("python");
}

#[test]
fn the_typescript_client_goes_from_nothing_to_a_tool_that_works() {
    flow("node");
}
