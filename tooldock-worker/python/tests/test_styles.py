"""One file in every spelling, beside every generation of the real libraries: the same tools and answers."""

import pathlib
from typing import Any

import pytest

FOLDER = pathlib.Path(__file__).parent / "styles"
BODY = (FOLDER / "body.py").read_text()
HELPERS = {"_helpers.py": (FOLDER / "_helpers.py").read_text()}

SPELLINGS = {
    "tooldock": ("from tooldock import Context, Image, tool\n", "tool", "tool()"),
    "fastmcp": (
        "from fastmcp import Context\nfrom fastmcp.tools import tool\nfrom fastmcp.utilities.types import Image\n",
        "tool",
        "tool()",
    ),
    "FastMCP": (
        "from fastmcp import Context, FastMCP\nfrom fastmcp.utilities.types import Image\nmcp = FastMCP('corpus')\n",
        "mcp.tool",
        "mcp.tool()",
    ),
    "mcp 1": (
        "from mcp.server.fastmcp import Context, FastMCP, Image\nmcp = FastMCP('corpus')\n",
        "mcp.tool()",
        "mcp.tool()",
    ),
    "mcp 2": (
        "from mcp.server.mcpserver import Context, Image, MCPServer\nmcp = MCPServer('corpus')\n",
        "mcp.tool()",
        "mcp.tool()",
    ),
}
"""How a file declares its tools: its first lines, and the decorator of plain and of asynchronous functions."""

LIBRARIES = {
    "stand-in": ("stand-in", ["tooldock", "fastmcp", "FastMCP", "mcp 1", "mcp 2"]),
    "fastmcp 2": ("2.14.5", ["tooldock", "FastMCP", "mcp 1"]),
    "fastmcp 3": ("3.4.11", ["tooldock", "fastmcp", "FastMCP", "mcp 1"]),
    "fastmcp 4": ("4.2.3", ["tooldock", "fastmcp", "FastMCP", "mcp 2"]),
}
"""What is installed, its version, and the spellings that it knows."""

CASES = [(library, spelling) for library, (_, known) in LIBRARIES.items() for spelling in known]

EXPECTED: list[Any] = []
"""What the file lists in our own spelling, asked for once."""


def spell(spelling: str) -> str:
    head, plain, waiting = SPELLINGS[spelling]
    return head + BODY.replace("@spelling\nasync", f"@{waiting}\nasync").replace("@spelling", f"@{plain}")


def read_schemas(worker: Any) -> list[Any]:
    return [
        [tool["name"], tool["description"], tool["inputSchema"], tool.get("outputSchema")]
        for tool in worker.ready["tools"]
    ]


@pytest.mark.parametrize(("library", "spelling"), CASES)
def test_the_same_tools_and_answers(serve: Any, library_python: Any, library: str, spelling: str) -> None:
    python = {} if library == "stand-in" else {"python": library_python(library)}
    worker = serve({"a.py": spell(spelling), **HELPERS}, **python)
    assert worker.ready["errors"] == []
    assert worker.ready["runtime"]["fastmcp"] == LIBRARIES[library][0]
    if not EXPECTED:
        EXPECTED.extend(read_schemas(serve({"a.py": spell("tooldock"), **HELPERS})))
    assert read_schemas(worker) == EXPECTED
    assert worker.result("plain", name="Ada", times=2)["structuredContent"] == {
        "result": "Ada of Lyon Ada of Lyon"
    }
    person = {"name": "Ada", "nick": None, "born": 1999}
    assert worker.result("waiting", person={"name": "Ada", "born": 1999})["structuredContent"] == person
    assert worker.result("pointing", point={"x": 1})["structuredContent"] == {"x": 2.0, "y": 0.0}
    assert worker.result("counting", up_to=3)["structuredContent"] == {"result": [0, 1, 2]}
    assert worker.result("drawing")["content"] == [{"type": "image", "data": "cG5n", "mimeType": "image/png"}]
    assert worker.error("failing", reason="why")["message"] == "Error calling tool 'failing': why"
    worker.notes.clear()
    assert worker.result("noting", steps=2)["structuredContent"] == {"result": "done"}
    assert [note["op"] for note in worker.notes] == ["log", "progress", "progress"]
    assert worker.notes[0]["data"] == "begun" and worker.notes[2]["progress"] == 2


def test_the_old_library_has_no_decorator_and_says_so(serve: Any, library_python: Any) -> None:
    worker = serve({"a.py": spell("fastmcp"), **HELPERS}, python=library_python("fastmcp 2"))
    (error,) = worker.ready["errors"]
    assert (error["file"], error["type"]) == ("a.py", "TypeError")
    assert spell("fastmcp").splitlines()[error["line"] - 1] == "@tool"
    assert error["hint"] == "fastmcp 2.x has no `@tool`: put `fastmcp>=3` into requirements.txt"
