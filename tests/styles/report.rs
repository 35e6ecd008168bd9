//! What is said of files that cannot be loaded: the file, the line, the reason, and what to do.

use serde_json::{Value, json};
use tooldock_tests::{Gateway, Tools};

const FINE: &str = "from tooldock import tool\n\n@tool\ndef NAME() -> str:\n    \"\"\"Tell the file.\"\"\"\n    return \"FILE\"\n";

fn fine(name: &str, file: &str) -> String {
    FINE.replace("NAME", name).replace("FILE", file)
}

/// The errors of the only namespace.
fn errors(gateway: &Gateway) -> Vec<Value> {
    let list = gateway.http().get("/namespaces").body;
    list["namespaces"][0]["errors"].as_array().unwrap().clone()
}

/// Text of the file, line on which it goes wrong, a part of the reason, the advice.
const MISTAKES: &[(&str, u64, &str, &str)] = &[
    (
        "from fastmcp import Client\n",
        1,
        "`fastmcp.Client` needs the real `fastmcp`",
        "add the line `fastmcp>=3` to requirements.txt",
    ),
    (
        "x = 1\nimport yaml_that_nobody_has\n",
        2,
        "yaml_that_nobody_has",
        "add the package that provides `yaml_that_nobody_has` to requirements.txt",
    ),
    (
        "from fastmcp.dependencies import Depends\nfrom tooldock import tool\n\n\n@tool\ndef f(a: int = Depends(int)): pass\n",
        5,
        "`Depends` need the real fastmcp: add the line `fastmcp>=3` to requirements.txt",
        "",
    ),
    (
        "from app.registry import ToolDefinition\n\ndef register_tools(registry):\n    registry.register_all([])\n",
        4,
        "the registry has no `register_all`",
        "",
    ),
    (
        "import sys\n\nsys.exit(3)\n",
        3,
        "3",
        "a tool file is imported, not run",
    ),
];

#[test]
fn a_file_that_cannot_be_loaded_is_reported_with_line_reason_and_advice() {
    let tools = Tools::new();
    tools.write("only", "fine.py", &fine("fine", "fine.py"));
    for (number, (text, ..)) in MISTAKES.iter().enumerate() {
        tools.write("only", &format!("m{number}.py"), text);
    }
    let gateway = Gateway::start(tools.path());
    let errors = errors(&gateway);
    assert_eq!(errors.len(), MISTAKES.len(), "{errors:?}");
    for (number, (_, line, reason, advice)) in MISTAKES.iter().enumerate() {
        let error = &errors[number];
        assert_eq!(error["file"], format!("m{number}.py"), "{error}");
        assert_eq!(error["line"], *line, "{error}");
        assert!(error["message"].as_str().unwrap().contains(reason), "{error}");
        let hint = error["hint"].as_str().unwrap_or_default();
        assert!(hint.starts_with(advice), "{error}");
        assert_eq!(error.get("traceback"), None, "{error}");
    }
    let answer = gateway.http().post("/only/tools/fine", &json!({}), &[]);
    assert_eq!(answer.body, json!("fine.py"));
}

/// The file that comes first by its name keeps a tool, whichever was written first; other namespaces do not matter.
#[test]
fn f38_a_name_given_twice_is_reported_with_both_places() {
    let tools = Tools::new();
    tools.write("only", "b.py", &fine("same", "b.py"));
    tools.write("only", "a.py", &fine("same", "a.py"));
    tools.write("other", "c.py", &fine("same", "c.py"));
    let gateway = Gateway::start(tools.path());
    let errors = errors(&gateway);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0]["file"], "b.py");
    assert_eq!(errors[0]["tool"], "same");
    let told = errors[0]["message"].as_str().unwrap();
    assert!(told.contains("`same`") && told.contains("a.py"), "{told}");
    for (namespace, file) in [("only", "a.py"), ("other", "c.py")] {
        let answer = gateway
            .http()
            .post(&format!("/{namespace}/tools/same"), &json!({}), &[]);
        assert_eq!(answer.body, json!(file));
    }
}

/// A model reads what a person sees, the author learns what was taken out, and a reload names what has changed.
#[test]
fn s53_hidden_characters_are_taken_out_and_told_and_a_changed_definition_is_named() {
    let tools = Tools::new();
    let hidden = fine("told", "odd.py").replace("Tell the file.", "Tell\u{202e} the\u{200b} file.");
    tools.write("only", "odd.py", &hidden);
    let gateway = Gateway::start(tools.path());
    let list = gateway.http().get("/only/tools").body;
    assert_eq!(list["tools"][0]["description"], "Tell the file.", "{list}");
    let errors = errors(&gateway);
    assert_eq!(
        (&errors[0]["file"], &errors[0]["tool"]),
        (&json!("odd.py"), &json!("told"))
    );
    let told = errors[0]["message"].as_str().unwrap();
    assert!(told.contains("invisible characters"), "{told}");
    let other = fine("told", "odd.py").replace("Tell the file.", "Tell another file.");
    tools.write("only", "odd.py", &other);
    let report = gateway.reload();
    // The watch over the folder may have been quicker; the log names the change either way.
    let tools = &report["namespaces"][0]["tools"];
    assert!(tools.is_null() || tools["changed"] == json!(["told"]), "{report}");
    let log = gateway.log();
    assert!(log.lines().any(|line| line.contains("~told")), "{log}");
}

/// A name that clients could not use is refused alone, and says what a name may be.
#[test]
fn f39_odd_names_are_refused_one_by_one() {
    let tools = Tools::new();
    let odd = ["a b", "a/b", "größe", "tab\t"];
    let text: String = odd
        .iter()
        .enumerate()
        .map(|(number, name)| format!("@tool(name={name:?})\ndef f{number}(): pass\n\n"))
        .collect();
    tools.write(
        "only",
        "odd.py",
        &format!("from tooldock import tool\n\n{text}\n@tool\ndef a_b() -> str:\n    return \"fine\"\n"),
    );
    let gateway = Gateway::start(tools.path());
    let list = gateway.http().get("/only/tools").body;
    let names: Vec<_> = list["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(names, ["a_b"], "{list}");
    let errors = errors(&gateway);
    assert_eq!(errors.len(), odd.len(), "{errors:?}");
    for error in errors {
        assert!(
            error["message"].as_str().unwrap().contains("letters, digits"),
            "{error}"
        );
    }
}
