//! A call of each tool that works after the ones before it, and what no argument may be.

use serde_json::{Value, json};

pub(super) const CODE: &str =
    "from tooldock import tool\n\n@tool\ndef f() -> int:\n    \"\"\"One.\"\"\"\n    return 1\n";

/// Each tool with arguments that are good, in an order in which all succeed; `repository` is one that can be cloned.
pub(super) fn good(repository: &str) -> Vec<(&'static str, Value)> {
    let demo = || json!({"namespace": "demo"});
    let file = |name: &str| json!({"namespace": "demo", "filename": name});
    let write = |name: &str| json!({"namespace": "demo", "filename": name, "code": CODE, "secrets": ["A_TOKEN"], "load": false});
    let package = |text: &str| json!({"namespace": "demo", "package": text});
    let secret = || json!({"key": "A_TOKEN", "namespace": "demo"});
    let install = |name: &str, value: &str| json!({name: value, "namespace": "caps"});
    vec![
        ("list_namespaces", json!({})),
        ("create_namespace", json!({"name": "demo"})),
        ("get_tool_template", json!({"kind": "basic"})),
        ("write_tool", write("a.py")),
        ("generate_tool", write("b.py")),
        ("list_tools", demo()),
        ("get_tool_source", file("a.py")),
        (
            "rename_tool_file",
            json!({"namespace": "demo", "filename": "b.py", "new_filename": "c.py"}),
        ),
        ("delete_tool", file("c.py")),
        ("add_requirement", package("iniconfig==2.0.0")),
        ("list_requirements", demo()),
        ("install_requirements", demo()),
        ("reload_core", json!({})),
        ("remove_requirement", package("iniconfig")),
        ("install_pip_packages", json!({"packages": ["iniconfig==2.0.0"]})),
        ("reload_core", json!({})),
        ("rollback_namespace", demo()),
        (
            "test_tool",
            json!({"namespace": "demo", "tool_name": "f", "input": {}}),
        ),
        ("get_logs", json!({"namespace": "demo", "lines": 10})),
        ("prepare_secret", secret()),
        ("list_secrets", demo()),
        ("check_secrets", demo()),
        ("remove_secret", secret()),
        ("search_registry", json!({"query": "caps", "cursor": null})),
        ("install_from_registry", install("package", "io.example/caps")),
        ("install_from_repo", install("repo_url", repository)),
        ("analyze_repo", json!({"repo_url": repository})),
        (
            "read_repo_file",
            json!({"repo_url": repository, "path": "src/index.ts", "offset": 0}),
        ),
        ("doctor", demo()),
        ("health", json!({})),
        ("server_config", json!({})),
        ("delete_namespace", json!({"name": "demo"})),
    ]
}

/// What no text may be, whatever it is for. Names of devices elsewhere are here in the forms that no rule lets through: `con` is a name
/// like any other on Unix.
pub(super) fn hostile() -> Vec<String> {
    let plain = [
        "",
        ".",
        "..",
        "../demo",
        "mcp",
        "_system",
        "demo/..",
        "/etc/passwd",
        "demo/",
        "demo/a.py",
        "..\\demo",
        "a.py/../../x.py",
        "./a.py",
        "demo\0",
        "\0",
        "a.py\0.txt",
        "demo\n",
        "a\r\nb",
        "demo\u{1b}[2J",
        "\u{202e}yp.a",
        "demo\u{200b}",
        "\u{feff}demo",
        "ｄemo",
        "d\u{435}mo",
        "ﬁle",
        "a．py",
        "%2e%2e%2fdemo",
        "demo,other",
        "~/demo",
        "de*mo",
        "$(id)",
        "`id`",
        "; id",
        "| id",
        "${HOME}",
        "--upload-pack=id",
        "-x",
        "ext::sh -c id",
        "file:///etc/passwd",
        "http://127.0.0.1/x",
        "https://u:p@127.0.0.1/x",
        "https://169.254.169.254/latest",
        "\\\\server\\share",
        "COM1:",
        "C:\\demo",
        "CON.txt/",
        "NUL ",
    ];
    let mut all: Vec<String> = plain.map(str::to_owned).to_vec();
    all.extend(["/a".repeat(200), "/".repeat(200_000)]);
    all
}
