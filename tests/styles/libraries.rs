//! Namespaces that ask for the real libraries in their requirements.

use serde_json::json;
use tooldock_tests::{Gateway, Tools};

/// A tool whose second parameter only the real library can fill.
const DEPENDS: &str = r#"
from fastmcp import Context
from fastmcp.dependencies import Depends
from fastmcp.tools import ToolResult, tool

import _helpers


def find_rate() -> float:
    return 1.5


@tool(tags={"money"})
async def convert(amount: float, ctx: Context, rate: float = Depends(find_rate)) -> ToolResult:
    """Convert an amount."""
    await ctx.info("converting")
    return ToolResult(content=_helpers.tell(amount * rate), structured_content={"amount": amount * rate})
"#;

/// A file of the generation before, which keeps its tools on a server object.
const SERVER: &str = r#"
from fastmcp import FastMCP

import _helpers

mcp = FastMCP("money")


@mcp.tool
def convert(amount: float) -> str:
    """Convert an amount."""
    return _helpers.tell(amount * 1.5)


if __name__ == "__main__":
    mcp.run()
"#;

const HELPERS: &str = "def tell(amount: float) -> str:\n    return f\"{amount:.2f} coins\"\n";

/// Both generations are served side by side, each with the library it asks for, and neither sees the other's.
#[test]
fn f33_each_namespace_has_the_library_that_it_asks_for() {
    let tools = Tools::new();
    for (namespace, text, library) in [
        ("new", DEPENDS, "fastmcp==4.2.3"),
        ("old", SERVER, "fastmcp==2.14.5"),
        ("none", &DEPENDS.replace("Depends(find_rate)", "1.5"), ""),
    ] {
        tools.write(namespace, "_helpers.py", HELPERS);
        tools.write(namespace, "requirements.txt", library);
        tools.write(namespace, "money.py", text);
    }
    let gateway = Gateway::start(tools.path());
    let list = gateway.http().get("/namespaces").body;
    for (namespace, version) in [("new", "4.2.3"), ("old", "2.14.5"), ("none", "stand-in")] {
        let lines = list["namespaces"].as_array().unwrap();
        let line = lines.iter().find(|line| line["name"] == namespace).unwrap();
        assert_eq!(line["runtime"]["fastmcp"], version, "{list}");
        assert_eq!(line.get("errors"), None, "{list}");
        let call = |path: &str| gateway.http().post(path, &json!({"amount": 3}), &[]);
        let answer = call(&format!("/{namespace}/tools/convert"));
        let expected = if namespace == "old" {
            json!("4.50 coins")
        } else {
            json!({"amount": 4.5})
        };
        assert_eq!((answer.status, answer.body), (200, expected), "{namespace}");
    }
}
