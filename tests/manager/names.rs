//! Hostile names, at every tool that takes one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::pair::Pair;

/// What no name may be.
fn hostile() -> Vec<String> {
    let plain = [
        "",
        ".",
        "..",
        "../shared",
        "/etc",
        "shared/",
        "shared/hello.py",
        "Shared",
        "ｓhared",
        "shared\u{200b}",
        "shared.",
        " shared",
        "shared\n",
        "shared\0",
        "%73hared",
        "shared,other",
        "_system",
        "mcp",
        "-x",
        "_x",
        ".x",
        "sh*red",
        "$(id)",
        "`id`",
        "; id",
    ];
    let mut all: Vec<String> = plain.map(str::to_owned).to_vec();
    all.extend(["a".repeat(64), "a".repeat(100_000)]);
    all
}

/// A tool, the name of an argument that is a name, and the other arguments of a call that would work.
type Call = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const CALLS: &[Call] = &[
    ("create_namespace", "name", &[]),
    ("delete_namespace", "name", &[]),
    ("list_tools", "namespace", &[]),
    ("get_tool_source", "namespace", &[("filename", "hello.py")]),
    ("get_tool_source", "filename", &[("namespace", "shared")]),
    (
        "write_tool",
        "namespace",
        &[("filename", "hello.py"), ("code", GOOD)],
    ),
    (
        "write_tool",
        "filename",
        &[("namespace", "shared"), ("code", GOOD)],
    ),
    ("delete_tool", "namespace", &[("filename", "hello.py")]),
    ("delete_tool", "filename", &[("namespace", "shared")]),
    (
        "rename_tool_file",
        "namespace",
        &[("filename", "hello.py"), ("new_filename", "other.py")],
    ),
    (
        "rename_tool_file",
        "filename",
        &[("namespace", "shared"), ("new_filename", "other.py")],
    ),
    (
        "rename_tool_file",
        "new_filename",
        &[("namespace", "shared"), ("filename", "hello.py")],
    ),
    ("get_logs", "namespace", &[]),
    ("rollback_namespace", "namespace", &[]),
    ("install_requirements", "namespace", &[]),
    ("list_requirements", "namespace", &[]),
    ("add_requirement", "namespace", &[("package", "iniconfig")]),
    ("remove_requirement", "namespace", &[("package", "iniconfig")]),
    ("check_secrets", "namespace", &[]),
    ("prepare_secret", "namespace", &[("key", "A_TOKEN")]),
    ("prepare_secret", "key", &[]),
    ("remove_secret", "namespace", &[("key", "A_TOKEN")]),
    ("remove_secret", "key", &[]),
    ("list_secrets", "namespace", &[]),
    ("doctor", "namespace", &[]),
];

const GOOD: &str =
    "from tooldock import tool\n\n@tool\ndef f() -> int:\n    \"\"\"One.\"\"\"\n    return 1\n";

/// Every file and its content.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else if entry.file_name() != ".lock" {
                all.insert(
                    entry.path().display().to_string(),
                    fs::read(entry.path()).unwrap(),
                );
            }
        }
    }
    all
}

#[test]
fn f56_s54_s55_hostile_names_are_refused_and_nothing_is_touched() {
    let pair = Pair::start();
    let before = tree(&pair.tools());
    for (tool, bad, others) in CALLS {
        for name in hostile() {
            let mut arguments: serde_json::Map<String, Value> = others
                .iter()
                .map(|(key, value)| ((*key).to_owned(), json!(value)))
                .collect();
            arguments.insert((*bad).to_owned(), json!(name));
            let told = pair.refused(tool, Value::Object(arguments));
            assert!(
                !told.is_empty() && told.len() < 600,
                "{tool} {bad} {name:?}: {told}"
            );
            assert!(
                !told.contains(['\0', '\u{200b}']),
                "{tool} {bad} {name:?}: {told:?}"
            );
        }
    }
    assert_eq!(tree(&pair.tools()), before);
    assert!(
        !pair.data().join("secrets.meta.yaml").exists(),
        "a name was prepared"
    );
}

#[test]
fn missing_and_wrong_arguments_are_named() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    for (tool, named, others) in CALLS {
        let optional = matches!(*tool, "list_secrets" | "doctor")
            || (tool.ends_with("_secret") && *named == "namespace");
        let others: serde_json::Map<String, Value> = others
            .iter()
            .map(|(key, value)| ((*key).to_owned(), json!(value)))
            .collect();
        if !optional {
            let told = pair.refused(tool, Value::Object(others.clone()));
            assert!(
                told.contains(&format!("`arguments.{named}` is required and missing")),
                "{tool}: {told}"
            );
        }
        for wrong in [json!(5), json!(["shared"]), json!({"a": 1})] {
            let mut arguments = others.clone();
            arguments.insert((*named).to_owned(), wrong);
            let told = pair.refused(tool, Value::Object(arguments));
            assert!(told.contains(&format!("arguments.{named}")), "{tool}: {told}");
        }
        let mut more = others.clone();
        more.insert("surplus".to_owned(), json!(1));
        more.insert((*named).to_owned(), json!("shared"));
        let told = pair.refused(tool, Value::Object(more));
        assert!(told.contains("surplus"), "{tool}: {told}");
    }
    assert!(!pair.tools().exists(), "a refused call made the folder of tools");
}
