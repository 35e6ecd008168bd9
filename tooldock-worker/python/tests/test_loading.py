"""Which files and functions become tools, and what a broken one costs."""

from typing import Any

import pytest

TOOL = "from tooldock import tool\n"
SMALL = TOOL + "@tool\ndef {0}() -> str:\n    return '{0}'\n"


def names(worker: Any) -> list[str]:
    return [tool["name"] for tool in worker.ready["tools"]]


def test_only_top_level_files_in_order(serve: Any) -> None:
    files = {f"{name}.py": SMALL.format(name) for name in ("b", "a", "_support", ".hidden", "sub/inner")}
    worker = serve({**files, "notes.txt": "x", "data.json": "{}"})
    assert names(worker) == ["a", "b"] and worker.ready["errors"] == []


def test_functions_in_order_of_definition(serve: Any) -> None:
    text = TOOL + "@tool\ndef z(): pass\n@tool\ndef a(): pass\nb = z\n"
    assert names(serve({"x.py": text})) == ["z", "a"]


BROKEN = {
    "syntax": ("x = 1\ndef f(:\n", "SyntaxError", "(b.py, line 2)", 2),
    "exception": ("x = 1\nraise ValueError('boom')\n", "ValueError", "boom", 2),
    "exit": ("import sys\n\nsys.exit(1)\n", "SystemExit", "SystemExit: 1", 3),
    "key": ("x = {}['k']\n", "KeyError", "KeyError: 'k'", 1),
    "interrupt": ("raise KeyboardInterrupt\n", "KeyboardInterrupt", "", 1),
    "import": ("import nope_module\n", "ModuleNotFoundError", "nope_module", 1),
    "null": ("x = '\0'\n", "", "", None),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_file_leaves_its_siblings_alone(serve: Any, case: str) -> None:
    text, kind, part, line = BROKEN[case]
    worker = serve({"a.py": SMALL.format("a"), "b.py": text, "c.py": SMALL.format("c")})
    (error,) = worker.ready["errors"]
    assert error["file"] == "b.py" and kind in error["type"] and part in error["message"]
    if line is not None:
        assert error["line"] == line
    assert names(worker) == ["a", "c"]
    assert worker.result("a")["content"][0]["text"] == "a"


def test_missing_secret_at_import(serve: Any) -> None:
    text = "import os\nKEY = os.environ['API_KEY']\n"
    (error,) = serve({"a.py": text}, missing=["API_KEY"]).ready["errors"]
    assert error["message"] == "the secret `API_KEY` is not set"
    assert error["hint"] == "set the secret `API_KEY` for namespace `demo`, then reload"


BAD_SIGNATURES = {
    "*args": ("def bad(*args): pass", "`*args`"),
    "**kwargs": ("def bad(**kwargs): pass", "`**kwargs`"),
    "positional": ("def bad(a, /): pass", "positional-only"),
    "unknown": ("def bad(a: 'Nope'): pass", "`Nope`"),
    "model": ("def bad(a: __import__('socket').socket): pass", ""),
}


@pytest.mark.parametrize("case", BAD_SIGNATURES)
def test_bad_signature_costs_one_tool(serve: Any, case: str) -> None:
    definition, part = BAD_SIGNATURES[case]
    worker = serve({"a.py": TOOL + f"@tool\n{definition}\n@tool\ndef good(): pass\n"})
    (error,) = worker.ready["errors"]
    assert (error["tool"], error["line"]) == ("bad", 2) and part in error["message"]
    assert names(worker) == ["good"]


@pytest.mark.parametrize("name", ["has space", "é", "x" * 129, "a/b"])
def test_f39_bad_names_are_refused(serve: Any, name: str) -> None:
    worker = serve({"a.py": TOOL + f"@tool(name={name!r})\ndef f(): pass\n"})
    assert "no tool name" in worker.ready["errors"][0]["message"]


def test_f38_the_first_file_keeps_a_name_and_the_second_is_told(serve: Any) -> None:
    worker = serve({"a.py": SMALL.format("x"), "b.py": SMALL.format("x")})
    (error,) = worker.ready["errors"]
    assert error["file"] == "b.py" and error["message"] == (
        "`x` in b.py is left out: a.py already has a tool of that name; rename one of them"
    )
    assert worker.ready["tools"][0]["file"] == "a.py"


def test_f38_a_function_that_another_replaces_is_told(serve: Any) -> None:
    text = TOOL + "@tool\ndef x(): return 1\n\n@tool(name='y')\ndef x(): return 2\n"
    worker = serve({"a.py": text})
    (error,) = worker.ready["errors"]
    assert (error["tool"], error["line"]) == ("x", 2) and "defined again on line 5" in error["message"]
    assert names(worker) == ["y"]


METHODS = TOOL + (
    "from fastmcp import FastMCP\nmcp = FastMCP('x')\nclass Shop:\n"
    "    @tool\n    def price(self): pass\n"
    "    class Inner:\n        @staticmethod\n        @tool\n        def deep(): pass\n"
    "    @mcp.tool\n    def served(self): pass\n"
    "    @staticmethod\n    @mcp.tool\n    def free(): pass\n"
    "    def plain(self): pass\n"
    "@tool\ndef good(): pass\n"
)


def test_a_decorated_method_is_told(serve: Any) -> None:
    worker = serve({"a.py": METHODS})
    assert [(error["tool"], error["line"]) for error in worker.ready["errors"]] == [
        ("Shop.price", 5),
        ("Shop.Inner.deep", 8),
        ("Shop.served", 11),
    ]
    for error in worker.ready["errors"]:
        assert error["message"].startswith("a tool must be a function of the module;"), error
    assert names(worker) == ["free", "good"]


def test_reexported_tool_is_one_tool(serve: Any) -> None:
    worker = serve({"a.py": SMALL.format("x"), "b.py": "from .a import x\n", "c.py": "from a import x\n"})
    assert names(worker) == ["x"] and worker.ready["errors"] == []


def test_s91_siblings_share_one_module(serve: Any) -> None:
    files = {
        "_state.py": "count = 0\n",
        "lib/__init__.py": "",
        "lib/deep.py": "VALUE = 7\n",
        "a.py": TOOL
        + "import _state\nfrom lib.deep import VALUE\n_state.count += 1\n@tool\ndef get() -> int:\n"
        "    from . import _state as other\n    assert other is _state\n"
        "    assert _state.__spec__.name == _state.__name__ == 'tooldock_namespace._state'\n    return _state.count * VALUE\n",
        "b.py": "from . import _state\n_state.count += 1\n",
        "c.py": "import d\nA = 1\n",
        "d.py": "import c\nB = 1\n",
    }
    worker = serve(files)
    assert worker.ready["errors"] == []
    assert worker.result("get")["structuredContent"] == {"result": 14}


def test_s91_a_file_called_like_a_library_shadows_nothing(serve: Any) -> None:
    files = {
        f"{name}.py": f"import {name}\n" + SMALL.format(f"t_{name}")
        # The last one has not been imported by anything before.
        for name in ("json", "asyncio", "pydantic", "colorsys")
    }
    files["use.py"] = TOOL + (
        "import colorsys, json\n@tool\ndef use() -> str:\n"
        "    return json.dumps([colorsys.rgb_to_hsv(0, 0, 1)[2]])\n"
    )
    worker = serve(files)
    assert worker.ready["errors"] == []
    assert worker.result("use")["structuredContent"] == {"result": "[1]"}


@pytest.mark.parametrize("name", ["tooldock", "fastmcp", "tooldock_worker"])
def test_s91_a_file_called_like_the_runtime(serve: Any, name: str) -> None:
    text = "from fastmcp.tools import tool\nimport tooldock\n@tool\ndef f() -> int:\n    return 1\n"
    worker = serve({f"{name}.py": text})
    assert worker.ready["errors"] == [] and names(worker) == ["f"]


def test_working_directory_and_file(serve: Any) -> None:
    text = TOOL + (
        "import pathlib\n@tool\ndef read() -> list:\n"
        "    return [open('data.txt').read(), (pathlib.Path(__file__).parent / 'data.txt').read_text()]\n"
    )
    assert serve({"a.py": text, "data.txt": "d"}).result("read")["content"][0]["text"] == '["d","d"]'


DECORATORS = {
    "plain": "def tool(fn): return fn\n",
    "called": "def tool(**options):\n    def mark(fn): return fn\n    return mark\n",
    "wrapping": (
        "import functools\ndef tool(fn):\n    @functools.wraps(fn)\n    def run(*a, **k): return fn(*a, **k)\n    return run\n"
    ),
    "attribute": "class kit:\n    @staticmethod\n    def tool(fn): return fn\n",
}


@pytest.mark.parametrize("case", DECORATORS)
def test_own_pass_through_decorator(serve: Any, case: str) -> None:
    use = {"called": "@tool(name='ignored')", "attribute": "@kit.tool"}.get(case, "@tool")
    text = (
        DECORATORS[case]
        + f'{use}\ndef echo(x: int) -> int:\n    """Echo."""\n    return x\ndef other(): pass\n'
    )
    worker = serve({"a.py": text})
    assert worker.ready["errors"] == []
    assert names(worker) == ["echo"]
    assert worker.ready["tools"][0]["description"] == "Echo."
    assert worker.result("echo", x=3)["structuredContent"] == {"result": 3}


def test_decorator_that_makes_an_object_is_refused(serve: Any) -> None:
    text = "class Made:\n    def __init__(self, fn): pass\ntool = Made\n@tool\ndef f(): pass\n"
    (error,) = serve({"a.py": text}).ready["errors"]
    assert error["tool"] == "f" and "Made" in error["message"]


SERVERS = {
    "fastmcp": "from fastmcp import FastMCP\nmcp = FastMCP('x')\n",
    "mcp 1": "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n",
    "mcp 2": "from mcp.server.mcpserver import MCPServer\nmcp = MCPServer('x')\n",
}
SERVER_TOOLS = (
    "@mcp.tool\ndef one() -> int: return 1\n@mcp.tool()\ndef two() -> int: return 2\n"
    "@mcp.tool(name='three')\ndef three_() -> int: return 3\nif __name__ == '__main__':\n    mcp.run()\n"
)


@pytest.mark.parametrize("case", SERVERS)
def test_server_objects(serve: Any, case: str) -> None:
    worker = serve({"a.py": SERVERS[case] + SERVER_TOOLS})
    assert worker.ready["errors"] == [] and names(worker) == ["one", "two", "three"]
    assert worker.result("three")["structuredContent"] == {"result": 3}


@pytest.mark.parametrize("case", ["fastmcp", "mcp 2"])
def test_server_objects_of_real_libraries(serve: Any, fastmcp_python: str, case: str) -> None:
    tools = SERVER_TOOLS.replace("@mcp.tool\n", "@mcp.tool()\n")
    worker = serve({"a.py": SERVERS[case] + tools}, python=fastmcp_python)
    assert worker.ready["errors"] == [] and names(worker) == ["one", "two", "three"]
    assert worker.result("three")["structuredContent"] == {"result": 3}


def test_objects_with_fn_and_parameters(serve: Any) -> None:
    text = (
        "class FunctionTool:\n    def __init__(self, fn):\n        self.fn, self.parameters = fn, {}\n"
        "        self.name, self.description, self.tags = 'old', 'From 2.x.', {'t'}\n"
        "def make(fn): return FunctionTool(fn)\n@make\ndef f(x: int) -> int: return x\n"
    )
    worker = serve({"a.py": text})
    (tool,) = worker.ready["tools"]
    assert (tool["name"], tool["description"], tool["tags"]) == ("old", "From 2.x.", ["t"])
    assert worker.result("old", x=5)["structuredContent"] == {"result": 5}


MISSING = {
    "from fastmcp import Client": ("fastmcp.Client", "fastmcp>=3"),
    "import fastmcp.server.middleware": ("fastmcp.server.middleware", "fastmcp>=3"),
    "from fastmcp.server import proxy": ("fastmcp.server.proxy", "fastmcp>=3"),
    "from mcp import ClientSession": ("mcp.ClientSession", "mcp>=1.30"),
    "from mcp.types import Nope": ("mcp.types.Nope", "mcp>=1.30"),
    "import fastmcp\nfastmcp.Client": ("fastmcp.Client", "fastmcp>=3"),
}


@pytest.mark.parametrize("statement", MISSING)
def test_stand_in_names_what_it_lacks(serve: Any, statement: str) -> None:
    name, line = MISSING[statement]
    worker = serve({"a.py": statement + "\n", "b.py": SMALL.format("b")})
    (error,) = worker.ready["errors"]
    assert f"`{name}`" in error["message"] and error["hint"] == f"add the line `{line}` to requirements.txt"
    assert names(worker) == ["b"]


def test_stand_in_offers_the_documented_names(serve: Any) -> None:
    text = (
        "import fastmcp\nfrom fastmcp import FastMCP, Context\nfrom fastmcp.tools import tool, ToolResult\n"
        "from fastmcp.exceptions import ToolError\nfrom fastmcp.utilities.types import Image, Audio, File\n"
        "from fastmcp.server.context import Context as C\nfrom fastmcp.dependencies import CurrentContext\n"
        "from mcp.types import (ToolAnnotations, Icon, TextContent, ImageContent, AudioContent,\n"
        "    EmbeddedResource, ResourceLink, CallToolResult)\n"
        "from mcp.server.fastmcp import FastMCP as A\nfrom mcp.server.mcpserver import MCPServer as B\n"
        "@tool\nasync def f(ctx=CurrentContext()) -> str:\n"
        "    return f'{fastmcp.__version__} {C is Context} {type(ctx).__name__} {hasattr(fastmcp, \"__nope__\")}'\n"
    )
    worker = serve({"a.py": text})
    assert worker.ready["errors"] == []
    assert worker.ready["tools"][0]["inputSchema"]["properties"] == {}
    assert worker.result("f")["structuredContent"] == {"result": "0+tooldock True Context False"}


def test_everything_a_decorator_says_is_listed(serve: Any) -> None:
    text = TOOL + (
        "@tool('n', title='T', description='D', tags={'b', 'a'}, category='c', enabled=False, timeout=2.5,\n"
        "      annotations={'readOnlyHint': True}, icons=[{'src': 'data:,'}], requires={'scope': 'x'}, meta={'m': 1},\n"
        "      input_schema={'type': 'object', 'properties': {'q': {'type': 'string'}}})\n"
        "def f(q): '''Doc.'''; return q\n"
    )
    (tool,) = serve({"a.py": text}).ready["tools"]
    assert tool == {
        "name": "n",
        "title": "T",
        "description": "D",
        "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}},
        "annotations": {"readOnlyHint": True},
        "icons": [{"src": "data:,"}],
        "_meta": {"m": 1, "fastmcp": {"tags": ["a", "b"]}},
        "tags": ["a", "b"],
        "category": "c",
        "enabled": False,
        "timeout": 2.5,
        "requires": {"scope": "x"},
        "sync": True,
        "file": "a.py",
        "line": 2,
    }


def test_unknown_option_names_the_known_ones(serve: Any) -> None:
    (error,) = serve({"a.py": TOOL + "@tool(nam='x')\ndef f(): pass\n"}).ready["errors"]
    assert "no option `nam`" in error["message"] and "timeout" in error["message"]


def test_event_loop_use_at_import(serve: Any) -> None:
    text = (
        TOOL
        + "import asyncio\nasync def f(): return 4\nX = asyncio.run(f())\n@tool\nasync def x() -> int: return X\n"
    )
    assert serve({"a.py": text}).result("x")["structuredContent"] == {"result": 4}


def test_event_loop_named_at_import_is_the_one_that_runs(serve: Any) -> None:
    text = TOOL + (
        "import asyncio\nLOOP = asyncio.get_event_loop()\n"
        "@tool\nasync def same() -> bool: return asyncio.get_running_loop() is LOOP\n"
    )
    assert serve({"a.py": text}).result("same")["structuredContent"] == {"result": True}


def test_python_path_is_untouched(serve: Any) -> None:
    text = TOOL + "import sys\n@tool\ndef path() -> list[str]: return sys.path\n"
    worker = serve({"a.py": text})
    path = worker.result("path")["structuredContent"]["result"]
    assert not any("tooldock_worker" in place or "ns0" in place or place == "" for place in path), path
