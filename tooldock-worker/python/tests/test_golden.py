"""The listed schemas equal fastmcp's, with and without fastmcp installed."""

import json
import pathlib
from typing import Any

import pytest

GOLDEN = pathlib.Path(__file__).parent / "golden"
RECORDED = json.loads((GOLDEN / "golden.json").read_text())
MEMBERS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta")


def drop_empty_tags(tool: dict[str, Any]) -> dict[str, Any]:
    """fastmcp lists an empty list of tags; the worker leaves it out."""
    meta = dict(tool.get("_meta", {}))
    if meta.get("fastmcp") == {"tags": []}:
        del meta["fastmcp"]
    rest = {key: value for key, value in tool.items() if key != "_meta"}
    return {**rest, "_meta": meta} if meta else rest


def compare(serve: Any, python: dict[str, str], names: list[str]) -> dict[str, str]:
    """Compare all tools of these files; returns the worker's `runtime`."""
    worker = serve({f"{name}.py": (GOLDEN / f"{name}.py").read_text() for name in names}, **python)
    assert worker.ready["errors"] == []
    listed = {tool["name"]: {k: tool[k] for k in MEMBERS if k in tool} for tool in worker.ready["tools"]}
    expected = [drop_empty_tags(tool) for name in names for tool in RECORDED["files"][name]]
    assert [tool["name"] for tool in expected] == list(listed)
    for tool in expected:
        assert listed[tool["name"]] == tool
    runtime: dict[str, str] = worker.ready["runtime"]
    return runtime


def test_corpus_is_large() -> None:
    assert sum(map(len, RECORDED["files"].values())) >= 55
    assert RECORDED["fastmcp"] == "4.2.3"


def test_schemas_with_stand_in(serve: Any) -> None:
    runtime = compare(serve, {}, ["corpus", "later", "plain"])
    assert runtime["fastmcp"] == "stand-in"
    assert runtime["validator"].startswith("pydantic 2.")


def test_schemas_beside_real_fastmcp(serve: Any, fastmcp_python: str) -> None:
    runtime = compare(serve, {"python": fastmcp_python}, ["corpus", "later", "plain"])
    assert runtime["fastmcp"] == "4.2.3"


def test_schemas_without_pydantic(serve: Any, bare_python: str) -> None:
    runtime = compare(serve, {"python": bare_python}, ["plain"])
    assert runtime["validator"] == "builtin"


@pytest.mark.parametrize(
    ("annotation", "named"),
    [
        ("datetime.timedelta", "timedelta"),
        ("Annotated[int, 5]", "metadata"),
        ("list[datetime.timedelta]", "timedelta"),
        ("type(NotImplemented)", "NotImplementedType"),
    ],
)
def test_builtin_refuses_what_it_cannot_check(
    serve: Any, bare_python: str, annotation: str, named: str
) -> None:
    head = "import datetime\nfrom typing import Annotated\nfrom tooldock import tool\n"
    bad = f"@tool\ndef bad(value: {annotation}) -> str: return ''\n"
    good = "@tool\ndef good() -> str: return 'x'\n"
    worker = serve({"a.py": head + bad + good}, python=bare_python)
    (error,) = worker.ready["errors"]
    assert error["tool"] == "bad"
    assert named in error["message"]
    assert "pydantic" in error["hint"]
    assert [tool["name"] for tool in worker.ready["tools"]] == ["good"]
