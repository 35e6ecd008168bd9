"""What a file will offer, told from its text."""

import pathlib
import subprocess
import sys

import pytest

from tooldock_worker.outline import outline

GOOD = '''
from typing import Annotated, Literal, Optional
import datetime as dt
from fastmcp import Context
from pydantic import Field
from tooldock import tool
open({mark!r}, "w")

@tool
async def list_issues(
    owner: str,
    ctx: Context,
    state: Literal["open", "closed"] = "open",
    count: Annotated[int, Field(description="How many.")] = 10,
    since: Optional[dt.date] = None,
    flags: list[dict[str, int | None]] = [],
    other: "Unknown" = object(),
) -> list[dict]:
    """List issues.

    Args:
        owner: Who owns them.
    """
'''


def test_s63_the_schema_is_told_and_nothing_is_run(tmp_path):
    mark = tmp_path / "ran"
    told = outline(GOOD.format(mark=str(mark)).encode())
    assert told["problems"] == []
    [tool] = told["tools"]
    assert (tool["name"], tool["description"], tool["line"]) == ("list_issues", "List issues.", 9)
    schema = tool["input_schema"]
    assert schema["required"] == ["owner"]
    assert schema["properties"] == {
        "owner": {"type": "string", "description": "Who owns them."},
        "state": {"enum": ["open", "closed"], "type": "string", "default": "open"},
        "count": {"type": "integer", "description": "How many.", "default": 10},
        "since": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
        "flags": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            },
            "default": [],
        },
        "other": {},
    }
    assert not mark.exists()


PROBLEMS = {
    "x = 1\n": (None, "No @tool decorator found"),
    "@tool\ndef f(:\n": (2, "syntax error"),
    '@tool\ndef f(a):\n    """D."""\n': (2, "`f`: the parameter `a` has no type"),
    "@tool\ndef f(a: int): pass\n": (2, "`f` has no docstring"),
    '@tool\ndef f(*a: int):\n    """D."""\n': (2, "`f`: `a` cannot be a tool argument"),
    'class C:\n    @tool\n    def f(self):\n        """D."""\n': (2, "the method `C.f` cannot be a tool"),
    "# coding: latin-1\nx = 1\n": (1, "it declares the encoding `iso-8859-1`"),
}


@pytest.mark.parametrize("source", PROBLEMS)
def test_a_problem_names_its_line_and_a_remedy(source):
    [problem] = outline(source.encode())["problems"]
    line, text = PROBLEMS[source]
    assert problem["line"] == line
    assert problem["problem"].startswith(text)
    assert problem["remedy"]


def test_s64_only_utf8_without_nul_is_taken():
    for source, text in ((b"x = '\xff'\n", "no UTF-8"), (b"x = 1\0\n", "null bytes")):
        assert text in outline(source)["problems"][0]["problem"]


@pytest.mark.parametrize(
    "source",
    [
        "(" * 5000,
        "-" * 100_000 + "1",
        "+".join("1" * 90_000),
        "9" * 200_000,
        "[" * 200 + "]" * 200,
        "\\\n" * 9999,
    ],
    ids=["parentheses", "minus", "plus", "digits", "lists", "continued"],
)
def test_s65_what_breaks_parsers_is_a_problem_of_the_file(source):
    entry = pathlib.Path(__file__).parent.parent / "tooldock_worker" / "__main__.py"
    command = [sys.executable, "-I", "-S", "-B", str(entry), "outline"]
    done = subprocess.run(command, input=source.encode(), capture_output=True, cwd="/", env={}, check=False)
    assert b'"problem"' in done.stdout or done.returncode != 0
    assert b'"tools": [{' not in done.stdout


def test_the_schema_is_the_one_that_the_loader_makes(tmp_path):
    """For types of the language itself, whichever validator the loader has."""
    from tooldock_worker.builtin import BuiltinShape
    from tooldock_worker.signature import read_signature

    source = "def f(a: str, b: int = 1, c: list[str] | None = None, *, d: dict[str, float]): ...\n"
    names: dict = {}
    exec(source, names)
    made = BuiltinShape(read_signature(names["f"])).input_schema
    told = outline(("@tool\n" + source.replace(": ...", ':\n    """D."""')).encode())["tools"][0]
    assert told["input_schema"] == made
