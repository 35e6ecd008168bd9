//! Code that is checked and never run.

use std::fs;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tooldock_tests::Http;

use crate::pair::Pair;
use crate::programs::TOKEN;

#[test]
fn s63_code_that_acts_when_it_is_imported_leaves_no_mark() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    pair.done("create_namespace", json!({"name": "demo"}));
    let mark = pair.data().join("mark");
    let act = format!("open({:?}, 'w').close()\n", mark.display().to_string());
    // Neighbours that a parser with the namespace on its path would import.
    for neighbour in ["ast.py", "json.py", "sitecustomize.py"] {
        fs::write(pair.tools().join("demo").join(neighbour), &act).unwrap();
    }
    let code = format!(
        "{act}from tooldock import tool\n\n@tool\ndef f(a: int = [{act0}][0]) -> int:\n    \"\"\"D.\"\"\"\n    return a\n",
        act0 = act.trim()
    );
    let written = pair.done(
        "write_tool",
        json!({"namespace": "demo", "filename": "a.py", "code": code}),
    );
    assert_eq!(
        written["schemas"]["f"]["properties"],
        json!({"a": {"type": "integer"}})
    );
    pair.done("list_tools", json!({"namespace": "demo"}));
    pair.call("doctor", json!({"namespace": "demo"}));
    assert!(!mark.exists(), "something was run");
}

#[test]
fn a_refusal_names_line_and_remedy_and_writes_nothing() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    pair.done("create_namespace", json!({"name": "demo"}));
    let good = "from tooldock import tool\n\n@tool\ndef f() -> int:\n    \"\"\"One.\"\"\"\n    return 1\n";
    pair.done(
        "write_tool",
        json!({"namespace": "demo", "filename": "a.py", "code": good}),
    );
    let table = [
        ("x = 1\n", "No @tool decorator found", "decorate a function"),
        ("@tool\ndef f(:\n", "line 2: syntax error", "correct this line"),
        (
            "@tool\ndef f(a) -> int:\n    \"\"\"D.\"\"\"\n",
            "line 2: `f`: the parameter `a` has no type",
            "write `a: str`",
        ),
        (
            "@tool\ndef f(a: int) -> int: ...\n",
            "line 2: `f` has no docstring",
            "say in it",
        ),
        (
            "# coding: latin-1\nx = 1\n",
            "line 1: it declares the encoding",
            "UTF-8",
        ),
        ("", "No @tool decorator found", "decorate a function"),
    ];
    for (code, problem, remedy) in table {
        let answered = pair.call(
            "write_tool",
            json!({"namespace": "demo", "filename": "a.py", "code": code}),
        );
        let detail = answered.value["details"][0].as_str().unwrap_or_default();
        assert!(
            answered.failed && answered.value["written"] == false,
            "{answered:?}"
        );
        assert!(detail.starts_with(problem) && detail.contains(remedy), "{detail}");
        assert_eq!(fs::read_to_string(pair.tools().join("demo/a.py")).unwrap(), good);
    }
    // Over REST the whole result stands in the error, as values and not as text.
    let http = Http::new(pair.url().trim_end_matches("/mcp"), Some(TOKEN));
    let body = json!({"namespace": "demo", "filename": "a.py", "code": "x = 1\n"});
    let answer = http.post("/_system/tools/write_tool", &body, &[]);
    let error = &answer.body["error"];
    assert_eq!(
        (answer.status, &error["code"], &error["message"]),
        (
            500,
            &json!("tool_error"),
            &json!("the tool failed; `details` is its result")
        )
    );
    assert_eq!(
        (&error["details"]["written"], &error["details"]["error"]),
        (&json!(false), &json!("No @tool decorator found"))
    );
}

#[test]
fn s65_what_kills_parsers_is_an_answer_and_the_manager_lives() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    pair.done("create_namespace", json!({"name": "demo"}));
    let killers = [
        "(".repeat(10_000),
        format!("{}1", "-".repeat(100_000)),
        vec!["1"; 90_000].join("+"),
        "9".repeat(200_000),
        format!("x = {}{}", "[".repeat(5000), "]".repeat(5000)),
        "f'{".repeat(5000),
        "x = 1\0".to_owned(),
        "if 1:\n".repeat(200),
    ];
    for code in killers {
        let start: String = code.chars().take(12).collect();
        let answered = pair.call(
            "write_tool",
            json!({"namespace": "demo", "filename": "a.py", "code": code}),
        );
        assert!(
            answered.failed && answered.value["written"] == false,
            "{start}: {answered:?}"
        );
        assert!(
            !answered.value["details"][0].as_str().unwrap().is_empty(),
            "{start}"
        );
    }
    assert_eq!(fs::read_dir(pair.tools().join("demo")).unwrap().count(), 0);
    assert_eq!(
        pair.done("list_namespaces", json!({}))["result"][0]["name"],
        "demo"
    );
}

/// What the check tells of a file is what the core serves of it, and the bytes are the same everywhere.
#[test]
fn s64_what_was_checked_is_what_is_written_and_loaded() {
    let pair = Pair::start();
    pair.done("create_namespace", json!({"name": "demo"}));
    let code = "\u{feff}from typing import Literal\nfrom tooldock import Context, tool\n\n\n@tool\ndef one(a: str, ctx: Context, b: int = 2, c: list[str] | None = None) -> dict:\n    \"\"\"First.\n\n    Args:\n        a: What.\n    \"\"\"\n    return {}\n\n\n@tool(name=\"second\")\nasync def two(kind: Literal[\"x\", \"y\"] = \"x\") -> str:\n    \"\"\"Second ä.\"\"\"\n    return kind\n";
    let arguments = json!({"namespace": "demo", "filename": "a.py", "code": code, "load": true});
    let written = pair.done("write_tool", arguments);
    assert_eq!(fs::read_to_string(pair.tools().join("demo/a.py")).unwrap(), code);
    let digest = {
        Sha256::digest(code)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    assert_eq!(written["digest"], json!(digest));
    assert_eq!(written["tools_found"], json!(["one", "second"]));
    let mut loaded: Vec<&str> = written["loaded"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    loaded.sort_unstable();
    assert_eq!(loaded, ["one", "second"], "{written}");
    let properties = &written["schemas"]["one"]["properties"];
    assert_eq!(properties["a"], json!({"type": "string", "description": "What."}));
    assert!(properties.get("ctx").is_none(), "{properties}");
    let tried = pair.done(
        "test_tool",
        json!({"namespace": "demo", "tool_name": "second", "input": {}}),
    );
    assert_eq!(tried["result"]["result"], "x", "{tried}");
}

#[test]
fn a_file_that_cannot_be_loaded_is_told_with_its_place() {
    let pair = Pair::start();
    pair.done("create_namespace", json!({"name": "demo"}));
    let code = "import not_there\nfrom tooldock import tool\n\n@tool\ndef f() -> int:\n    \"\"\"One.\"\"\"\n    return 1\n";
    let answered = pair.call(
        "write_tool",
        json!({"namespace": "demo", "filename": "a.py", "code": code, "load": true}),
    );
    assert!(
        answered.failed && answered.value["written"] == true,
        "{answered:?}"
    );
    let told = answered.value["loaded"].to_string();
    assert!(told.contains("not_there"), "{told}");
}
