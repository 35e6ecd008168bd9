"""Files written for other ways of declaring tools: version one, dependency injection."""

from typing import Any

import pytest

V1 = (
    "from pydantic import BaseModel, ConfigDict\nfrom app.registry import ToolDefinition, ToolRegistry\n"
    "class Input(BaseModel):\n    '''What to add.'''\n    model_config = ConfigDict(extra='forbid')\n    a: int\n    b: int = 1\n"
    "async def handle(data: Input) -> int:\n    return data.a + data.b\n"
    "def plain(data: Input) -> dict:\n    return {'sum': data.a + data.b}\n"
    "def register_tools(registry: ToolRegistry) -> None:\n"
    "    registry.register(ToolDefinition(name='add', description='Add.', input_model=Input, handler=handle))\n"
    "    registry.register(ToolDefinition('sum', 'Sum.', Input, plain))\n"
)


def test_version_one(serve: Any) -> None:
    worker = serve({"a.py": V1})
    assert worker.ready["errors"] == []
    add, total = worker.ready["tools"]
    assert (add["name"], add["description"], add["sync"], total["sync"]) == ("add", "Add.", False, True)
    assert add["inputSchema"] == {
        "type": "object",
        "description": "What to add.",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer", "default": 1}},
        "required": ["a"],
        "additionalProperties": False,
    }
    assert worker.result("add", a=2)["structuredContent"] == {"result": 3}
    assert worker.result("sum", a=2, b=2)["structuredContent"] == {"sum": 4}
    assert worker.error("add", a=2, c=1)["details"]["errors"][0]["loc"] == ["c"]


def test_version_one_says_what_it_lacks(serve: Any) -> None:
    worker = serve(
        {
            "a.py": V1.replace("registry.register(", "registry.register_all("),
            "b.py": "from app.registry import Nope\n",
            "c.py": "import app.loader\n",
        }
    )
    first, second, third = worker.ready["errors"]
    assert "`register_all`" in first["message"]
    assert "`app.registry.Nope`" in second["message"] and "ToolDefinition" in second["hint"]
    assert "`app.loader`" in third["message"]


def test_own_app_module_wins(serve: Any) -> None:
    worker = serve(
        {
            "app.py": "VALUE = 3\n",
            "b.py": "from tooldock import tool\nfrom app import VALUE\n@tool\ndef v(): return VALUE\n",
        }
    )
    assert worker.ready["errors"] == []


INJECTED = (
    "from fastmcp.tools import tool\nfrom fastmcp.dependencies import Depends\nfrom fastmcp import Context\n"
    "def answer() -> int: return 42\n"
    "@tool\nasync def with_it(x: int, n: int = Depends(answer)) -> int:\n    return x + n\n"
    "@tool\ndef both(x: int, ctx: Context, n: int = Depends(answer)) -> str:\n    return f'{ctx.request_id} {x + n}'\n"
    "@tool\nasync def noting(ctx: Context, n: int = Depends(answer)) -> int:\n    await ctx.info('hi')\n    return n\n"
    "@tool\ndef without(x: int) -> int: return x\n"
)


@pytest.mark.parametrize("library", ["fastmcp 3", "fastmcp 4"])
def test_injection_beside_real_fastmcp(serve: Any, library_python: Any, library: str) -> None:
    worker = serve({"a.py": INJECTED}, python=library_python(library))
    assert worker.ready["errors"] == []
    assert list(worker.ready["tools"][0]["inputSchema"]["properties"]) == ["x"]
    assert worker.result("with_it", x=1)["structuredContent"] == {"result": 43}
    call = worker.start("both", context={"request_id": "r"}, x=1)
    assert worker.wait(call)["result"]["structuredContent"] == {"result": "r 43"}
    assert worker.result("noting")["structuredContent"] == {"result": 42}
    assert [note["data"] for note in worker.notes] == ["hi"]


def test_injection_without_fastmcp_costs_those_tools(serve: Any) -> None:
    worker = serve({"a.py": INJECTED})
    assert [error["tool"] for error in worker.ready["errors"]] == ["with_it", "both", "noting"]
    assert all("`fastmcp>=3`" in error["message"] for error in worker.ready["errors"])
    assert [tool["name"] for tool in worker.ready["tools"]] == ["without"]
