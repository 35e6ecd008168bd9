//! What callers are told, over MCP and REST alike, of arguments that do not fit and of tools that fail.

use serde_json::{Value, json};
use tooldock_tests::{Answer, Gateway, Http, Tools};

const TOOLS: &str = r#"
from typing import Any

from tooldock import ToolError, tool


@tool
def total(numbers: list[int], label: str = "sum") -> str:
    """Add numbers."""
    return f"{label} {sum(numbers)}"


@tool
def echo(value: Any) -> Any:
    """Give it back."""
    return value


@tool
def plain() -> str:
    """Raise what any library raises."""
    raise KeyError("no such row")


@tool
def intended() -> str:
    """Raise what is meant for the caller."""
    raise ToolError("try another table")
"#;

/// One gateway and the two ways to call a tool of it.
struct Doors(Gateway);

impl Doors {
    fn open() -> Self {
        let tools = Tools::new();
        tools.write("only", "tools.py", TOOLS);
        Self(Gateway::start(tools.path()))
    }

    fn http(&self) -> Http {
        self.0.http()
    }

    fn rest(&self, tool: &str, arguments: &Value) -> Answer {
        self.http().post(&format!("/only/tools/{tool}"), arguments, &[])
    }

    /// The JSON-RPC answer of a call in the revision without sessions.
    fn mcp(&self, tool: &str, arguments: &Value) -> Value {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments, "_meta": meta},
        });
        let headers = [
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", tool),
        ];
        self.http().post("/only/mcp", &body, &headers).body
    }

    /// The text of a tool error over MCP.
    fn failure(&self, tool: &str, arguments: &Value) -> String {
        let answer = self.mcp(tool, arguments);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let text = answer["result"]["content"][0]["text"].as_str();
        text.unwrap_or_default().to_owned()
    }
}

#[test]
fn f14_text_that_is_json_of_the_wanted_kind_is_read_once_and_other_text_is_refused_by_name() {
    let doors = Doors::open();
    let json_text = json!({"numbers": "[1, 2]"});
    assert_eq!(doors.rest("total", &json_text).body, json!("sum 3"));
    assert_eq!(
        doors.mcp("total", &json_text)["result"]["content"][0]["text"],
        "sum 3"
    );
    // Where text is wanted it stays text.
    let text = json!({"numbers": [1], "label": "[1, 2]"});
    assert_eq!(doors.rest("total", &text).body, json!("[1, 2] 1"));
    for text in ["not json", "{\"a\": 1}", "\"[1]\""] {
        let refused = json!({"numbers": text});
        let answer = doors.rest("total", &refused);
        assert_eq!(answer.status, 422, "{answer:?}");
        for told in [answer.error(), &doors.failure("total", &refused)] {
            assert!(told.contains("`arguments.numbers` must be an array"), "{told}");
        }
    }
}

#[test]
fn f17_whole_numbers_keep_every_digit() {
    let doors = Doors::open();
    for number in [9_007_199_254_740_993_u64, 18_446_744_073_709_551_615] {
        let arguments = json!({"value": {"n": number}});
        assert_eq!(doors.rest("echo", &arguments).body, json!({"n": number}));
        let answer = doors.mcp("echo", &arguments);
        assert_eq!(answer["result"]["structuredContent"], json!({"n": number}));
    }
}

#[test]
fn f40_the_message_of_an_exception_reaches_the_caller_and_its_traceback_does_not() {
    let doors = Doors::open();
    for (tool, text) in [("plain", "no such row"), ("intended", "try another table")] {
        let answer = doors.rest(tool, &json!({}));
        let told = doors.failure(tool, &json!({}));
        assert_eq!(answer.error(), told);
        assert!(told.contains(text), "{told}");
        for whole in [answer.body.to_string(), doors.mcp(tool, &json!({})).to_string()] {
            assert!(
                !whole.contains("Traceback") && !whole.contains("tools.py"),
                "{whole}"
            );
        }
        let id = answer.body["request_id"].as_str().unwrap();
        let log = doors.0.log();
        let line = log
            .lines()
            .find(|line| line.contains(id) && line.contains("Traceback"));
        assert!(line.is_some(), "no line with {id} and the traceback in:\n{log}");
    }
}

#[test]
fn f41_refused_arguments_are_named_one_by_one_and_near_names_are_suggested() {
    let doors = Doors::open();
    let wrong = json!({"numbers": [1, "x"], "label": 7, "extra": null});
    let answer = doors.rest("total", &wrong);
    assert_eq!(answer.status, 422);
    for told in [answer.error(), &doors.failure("total", &wrong)] {
        for part in [
            "`arguments.numbers[1]` must be an integer, and is `\"x\"`",
            "`arguments.label` must be a string, and is `7`",
            "`arguments.extra` is not known here; known are `label`, `numbers`",
        ] {
            assert!(told.contains(part), "`{told}` does not say {part}");
        }
        assert!(!told.contains("pydantic") && !told.contains("http"), "{told}");
    }
    let absent = doors.failure("total", &json!({}));
    assert!(
        absent.contains("`arguments.numbers` is required and missing"),
        "{absent}"
    );
    let unknown = doors.rest("totl", &json!({}));
    assert_eq!(unknown.status, 404);
    let over_mcp = doors.mcp("totl", &json!({}));
    assert_eq!(over_mcp["error"]["code"], -32602, "{over_mcp}");
    let over_mcp = over_mcp["error"]["message"].as_str().unwrap();
    for told in [unknown.error(), over_mcp] {
        assert!(told.contains("did you mean `total`"), "{told}");
    }
}
