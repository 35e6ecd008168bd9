//! Files that are dropped in, changed and broken while the gateway serves.

use std::time::Duration;

use serde_json::json;
use tooldock_tests::{Gateway, Tools, eventually};

const ECHO: &str = "from fastmcp.tools import tool\n\n@tool\ndef echo(text: str) -> str:\n    \"\"\"Give it back.\"\"\"\n    return text\n";
const OWN_DECORATOR: &str = "def tool(fn):\n    return fn\n\n@tool\ndef double(n: int) -> int:\n    \"\"\"Twice.\"\"\"\n    return 2 * n\n";

fn start() -> (Tools, Gateway) {
    let tools = Tools::new();
    tools.write("first", "hello.py", &ECHO.replace("echo", "hello"));
    let gateway = Gateway::start(tools.path());
    (tools, gateway)
}

#[test]
fn a_folder_that_appears_can_be_called_within_three_seconds() {
    let (tools, gateway) = start();
    let http = gateway.http();
    let call = |path: &str, body| Some(http.post(path, &body, &[])).filter(|answer| answer.status == 200);
    tools.write("dropped", "echo.py", ECHO);
    let (answer, took) = eventually("a new folder", Duration::from_secs(3), || {
        call("/dropped/tools/echo", json!({"text": "hi"}))
    });
    assert_eq!(answer.body, json!("hi"), "after {took:?}");
    tools.write("dropped", "double.py", OWN_DECORATOR);
    let (answer, took) = eventually("a new file", Duration::from_secs(3), || {
        call("/dropped/tools/double", json!({"n": 21}))
    });
    assert_eq!(answer.body, json!(42), "after {took:?}");
}

/// `tooldock.yaml` switches a tool off at every door at once, and nobody can tell it from one that never was.
#[test]
fn f55_a_tool_that_is_off_is_unknown_until_it_is_on_again() {
    let (tools, gateway) = start();
    tools.write("first", "zzz.py", &ECHO.replace("echo", "zzz"));
    let http = gateway.http();
    let by_mcp = |name: &str| {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": name, "arguments": {"text": "hi"}, "_meta": meta});
        let headers = [
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", name),
        ];
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        http.post("/first/mcp", &call, &headers)
    };
    let by_rest = |name: &str| http.post(&format!("/first/tools/{name}"), &json!({"text": "hi"}), &[]);
    let schema = |name: &str| http.get(&format!("/first/tools/{name}/schema"));
    let doors = |name: &str| {
        let told = [by_mcp(name), by_rest(name), schema(name)];
        told.map(|answer| (answer.status, answer.error().replace(name, "…")))
    };
    for (manifest, listed) in [("", 2), ("tools: { zzz: { enabled: false } }\n", 1), ("", 2)] {
        tools.write("first", "tooldock.yaml", manifest);
        assert_eq!(gateway.reload()["ok"], true);
        let list = http.get("/first/tools").body;
        assert_eq!(list["tools"].as_array().map(Vec::len), Some(listed), "{list}");
        assert_eq!(doors("zzz") == doors("qqq"), listed == 1, "{:?}", doors("zzz"));
        assert_eq!(by_rest("hello").status, 200);
    }
}

#[test]
fn r21_a_broken_file_is_reported_and_leaves_its_siblings_alone() {
    let (tools, gateway) = start();
    tools.write("first", "broken.py", "def half(:\n");
    let report = gateway.reload();
    assert_eq!(report["ok"], true, "the namespace itself runs: {report}");
    let list = gateway.http().get("/namespaces").body;
    let problem = &list["namespaces"][0]["errors"][0];
    assert_eq!(
        (&problem["file"], &problem["line"]),
        (&json!("broken.py"), &json!(1)),
        "{list}"
    );
    let answer = gateway
        .http()
        .post("/first/tools/hello", &json!({"text": "still here"}), &[]);
    assert_eq!(answer.body, json!("still here"));
}

#[test]
fn r21_f35_a_file_that_breaks_leaves_the_last_good_version() {
    let (tools, gateway) = start();
    tools.write("first", "second.py", &ECHO.replace("echo", "second"));
    assert_eq!(gateway.reload()["ok"], true);
    let worker = gateway.worker("first");
    tools.write(
        "first",
        "hello.py",
        "from tooldock import tool\n\n@tool\ndef hello(\n",
    );
    let report = gateway.reload();
    let error = report["namespaces"][0]["error"].as_str().unwrap_or_default();
    assert!(
        error.contains("hello.py, line 4") && report["ok"] == false,
        "{report}"
    );
    let answer = gateway
        .http()
        .post("/first/tools/hello", &json!({"text": "old"}), &[]);
    assert_eq!((answer.body, gateway.worker("first")), (json!("old"), worker));
    let list = gateway.http().get("/namespaces").body;
    assert!(
        list["namespaces"][0]["failure"].to_string().contains("hello.py"),
        "{list}"
    );
    tools.write("first", "hello.py", &ECHO.replace("echo", "hello"));
    assert_eq!(gateway.reload()["ok"], true);
    assert!(gateway.http().get("/namespaces").body["namespaces"][0]["failure"].is_null());
}

#[test]
fn a_folder_that_goes_takes_its_namespace_with_it() {
    let (tools, gateway) = start();
    std::fs::remove_dir_all(tools.path().join("first")).unwrap();
    let report = gateway.reload();
    assert_eq!(report["namespaces"][0]["action"], "drop", "{report}");
    assert_eq!(gateway.http().get("/first/tools").status, 404);
}
