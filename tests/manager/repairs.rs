//! Reloads, tests, logs, ways back, and the doctor.

use std::fs;

use serde_json::{Value, json};

use crate::pair::Pair;

fn code(body: &str) -> String {
    format!(
        "from tooldock import tool\n\n@tool\ndef say(times: int = 1) -> str:\n    \"\"\"Say it.\"\"\"\n    {body}\n"
    )
}

fn write(pair: &Pair, body: &str) -> Value {
    let arguments = json!({"namespace": "demo", "filename": "a.py", "code": code(body), "load": true});
    pair.call("write_tool", arguments).value
}

fn say(pair: &Pair) -> Value {
    pair.call(
        "test_tool",
        json!({"namespace": "demo", "tool_name": "say", "input": {}}),
    )
    .value
}

#[test]
fn a_namespace_is_written_tested_corrected_and_put_back() {
    let pair = Pair::start();
    pair.done("create_namespace", json!({"name": "demo"}));
    let told = pair.refused("rollback_namespace", json!({"namespace": "shared"}));
    assert_eq!(
        told,
        "no earlier version of `shared` has served here, so there is nothing to go back to"
    );
    write(&pair, "print('one'); return 'one'");
    assert_eq!(say(&pair)["result"]["result"], "one");
    write(&pair, "raise KeyError('GITHUB')");
    let failed = say(&pair);
    assert_eq!(failed["success"], false);
    assert!(failed["error"].as_str().unwrap().contains("GITHUB"), "{failed}");
    let traceback = failed["traceback"].as_str().unwrap();
    assert!(
        traceback.contains("line 6, in say") && traceback.contains("KeyError"),
        "{traceback}"
    );
    let back = pair.done("rollback_namespace", json!({"namespace": "demo"}));
    assert_eq!(back["workers_restarted"], json!(["demo"]), "{back}");
    assert_eq!(say(&pair)["result"]["result"], "one");
    assert!(
        fs::read_to_string(pair.tools().join("demo/a.py"))
            .unwrap()
            .contains("'one'")
    );
    let lines = pair.done("get_logs", json!({"namespace": "demo", "lines": 5}));
    assert!(
        lines["result"]
            .as_array()
            .unwrap()
            .iter()
            .any(|line| line["text"] == "one"),
        "{lines}"
    );
    let wrong = pair.call(
        "test_tool",
        json!({"namespace": "demo", "tool_name": "say", "input": {"times": "x"}}),
    );
    assert!(
        wrong.failed
            && wrong.value["error"]
                .as_str()
                .unwrap()
                .starts_with("invalid_arguments"),
        "{wrong:?}"
    );
    let unknown = pair.call(
        "test_tool",
        json!({"namespace": "demo", "tool_name": "sey", "input": {}}),
    );
    assert!(unknown.failed && unknown.text.contains("say"), "{unknown:?}");
    pair.done("delete_namespace", json!({"name": "demo"}));
    let gone = pair.done("reload_core", json!({}));
    assert_eq!(gone["namespaces"], json!(["shared"]), "{gone}");
}

#[test]
fn a_reload_tells_progress_and_who_was_given_packages() {
    let pair = Pair::start();
    pair.done("create_namespace", json!({"name": "demo"}));
    fs::write(pair.tools().join("demo/a.py"), code("return 'x'")).unwrap();
    fs::write(pair.tools().join("demo/requirements.txt"), "iniconfig==2.0.0\n").unwrap();
    let report = pair.done("reload_core", json!({}));
    assert_eq!(
        report,
        json!({"reloaded": true, "namespaces": ["demo", "shared"], "workers_restarted": ["demo"], "deps_synced": ["demo"]})
    );
    fs::write(pair.tools().join("demo/requirements.txt"), "-r x\n").unwrap();
    let failed = pair.call("reload_core", json!({}));
    assert!(failed.failed, "{failed:?}");
    assert_eq!(failed.value["failed"][0]["name"], "demo");
    assert!(
        failed.value["failed"][0]["error"]
            .as_str()
            .unwrap()
            .contains("requirements.txt"),
        "{failed:?}"
    );
}

#[test]
fn the_doctor_names_each_fault_with_its_fix() {
    let pair = Pair::start();
    assert_eq!(
        pair.done("doctor", json!({})),
        json!({"healthy": true, "findings": []})
    );
    pair.done("create_namespace", json!({"name": "demo"}));
    let demo = pair.tools().join("demo");
    let about = || {
        let told = pair.done("doctor", json!({"namespace": "demo"}));
        assert_eq!(told["healthy"], false, "{told}");
        told["findings"].to_string()
    };
    assert!(about().contains("it has no tool file"));
    fs::write(demo.join("a.py"), code("return 'x'")).unwrap();
    assert!(about().contains("the core has not loaded it"));
    fs::write(demo.join("tooldock.yaml"), "secrets: [A_TOKEN]\n").unwrap();
    fs::write(demo.join("b.py"), "import not_there\n").unwrap();
    pair.call("reload_core", json!({}));
    let told = about();
    for part in [
        "the secret `A_TOKEN` does not exist",
        "prepare_secret",
        "b.py: No @tool decorator found",
        "not_there",
    ] {
        assert!(told.contains(part), "{part} is missing in {told}");
    }
    fs::write(demo.join("requirements.txt"), "-e .\n").unwrap();
    assert!(about().contains("requirements.txt"));
}

#[test]
fn health_counts_what_is_served() {
    let pair = Pair::start();
    let health = pair.done("health", json!({}));
    assert_eq!(
        (
            &health["core_reachable"],
            &health["namespaces_loaded"],
            &health["total_tools"]
        ),
        (&json!(true), &json!(1), &json!(1))
    );
    assert!(
        health["python_version"].as_str().unwrap().starts_with("3."),
        "{health}"
    );
}
