"""What a returned value becomes on the wire."""

import base64
from typing import Any

import pytest

HEAD = (
    "import datetime, enum, decimal, uuid, pathlib\nfrom dataclasses import dataclass\nfrom typing import Any\n"
    "from tooldock import tool, ToolResult, Image, Audio, File\n"
    "from mcp.types import TextContent, ResourceLink, CallToolResult, EmbeddedResource\n"
    "class Colour(enum.Enum):\n    RED = 'red'\n"
    "@dataclass\nclass Point:\n    x: float\n    y: int = 0\n"
    "class Opaque: pass\n"
)
WRAP = {"fastmcp": {"wrap_result": True}}
NONE: Any = object()

VALUES = {
    "text": ("str", "'hé\\n'", "hé\n", {"result": "hé\n"}, WRAP),
    "number": ("float", "3.5", "3.5", {"result": 3.5}, WRAP),
    "big": ("int", "10**400", str(10**400), {"result": 10**400}, WRAP),
    "truth": ("bool", "True", "true", {"result": True}, WRAP),
    "object": ("dict", "{'a': [1, None]}", '{"a":[1,null]}', {"a": [1, None]}, None),
    "list": ("list[dict]", "[{'a': 1}]", '[{"a":1}]', {"result": [{"a": 1}]}, WRAP),
    "bare list": ("list", "[1, 'x']", '[1,"x"]', NONE, None),
    "unsaid": ("Any", "7", "7", NONE, None),
    "unsaid object": ("Any", "{'a': 1}", '{"a":1}', {"a": 1}, None),
    "nothing": ("None", "None", NONE, NONE, None),
    "optional": ("int | None", "None", NONE, {"result": None}, WRAP),
    "enum": ("Colour", "Colour.RED", "red", {"result": "red"}, WRAP),
    "date": ("datetime.date", "datetime.date(2020, 1, 2)", "2020-01-02", {"result": "2020-01-02"}, WRAP),
    "utc": (
        "Any",
        "datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)",
        "2020-01-02T00:00:00Z",
        NONE,
        None,
    ),
    "dataclass": ("Point", "Point(1.0)", '{"x":1.0,"y":0}', {"x": 1.0, "y": 0}, None),
    "set": ("set[int]", "{1}", "[1]", {"result": [1]}, WRAP),
    "tuple": ("tuple[int, str]", "(1, 'a')", '[1,"a"]', {"result": [1, "a"]}, WRAP),
    "bytes": ("bytes", "b'raw'", "raw", NONE, None),
    "no text": ("bytes", "b'\\xff'", "/w==", NONE, None),
    "surrogate": ("str", "'a\\ud800b'", "a\ufffdb", {"result": "a\ufffdb"}, WRAP),
    "surrogate pair": ("str", "'\\ud83d\\ude00'", "\U0001f600", {"result": "\U0001f600"}, WRAP),
    "surrogate inside": ("dict", "{'k': ['\\udc00']}", '{"k":["\ufffd"]}', {"k": ["\ufffd"]}, None),
    "generator": ("list[int]", "(n for n in range(3))", "[0,1,2]", {"result": [0, 1, 2]}, WRAP),
}


def listing(values: dict[str, Any]) -> str:
    """A file with one tool per value, called t0, t1, ..."""
    lines = [HEAD]
    for number, (annotation, expression, *_) in enumerate(values.values()):
        lines.append(f"@tool\ndef t{number}() -> {annotation}:\n    return {expression}\n")
    return "".join(lines)


@pytest.mark.parametrize("validator", ["pydantic", "builtin"])
def test_values(serve: Any, bare_python: str, validator: str) -> None:
    python = {"python": bare_python} if validator == "builtin" else {}
    worker = serve({"a.py": listing(VALUES)}, **python)
    assert worker.ready["errors"] == []
    for number, (case, (_, _, text, structured, meta)) in enumerate(VALUES.items()):
        result = worker.result(f"t{number}")
        expected = [] if text is NONE else [{"type": "text", "text": text}]
        assert result.pop("content") == expected, case
        assert result.pop("structuredContent", NONE) == structured, case
        assert result.pop("_meta", None) == meta, case
        assert result == {"isError": False}, case


REFUSED = {
    "cycle": ("dict", "(lambda d: d.update(d=d) or d)({})", "tool_error", ""),
    "large text": ("str", "'x' * 2000", "result_too_large", "1000 bytes"),
    "large list": ("list[int]", "list(range(1000))", "result_too_large", "max_result_bytes"),
    "empty result": ("Any", "ToolResult()", "tool_error", "content"),
    "list as structure": ("Any", "ToolResult('x', structured_content=[1])", "tool_error", "dict"),
}


@pytest.mark.parametrize("validator", ["pydantic", "builtin"])
def test_refused_results(serve: Any, bare_python: str, validator: str) -> None:
    python = {"python": bare_python} if validator == "builtin" else {}
    worker = serve(
        {"a.py": listing(REFUSED) + "@tool\ndef ok() -> int: return 1\n"}, max_result_bytes=1000, **python
    )
    for number, (case, (_, _, code, part)) in enumerate(REFUSED.items()):
        error = worker.error(f"t{number}")
        assert error["code"] == code and part in error["message"], (case, error)
    assert worker.result("ok")["structuredContent"] == {"result": 1}


MEASURED = {
    "text": ("str", "'x' * 998", True),
    "a longer text": ("str", "'x' * 999", False),
    "quotes": ("dict", "{'q': ['\"'] * 190}", True),
    "more quotes": ("dict", "{'q': ['\"'] * 200}", False),
    "both parts": ("Any", "ToolResult(['x' * 900], {'k': 'x' * 900}, {'k': 'x' * 900})", True),
    "much content": ("Any", "ToolResult(['x' * 999])", False),
    "much structure": ("Any", "ToolResult([], {'k': 'x' * 999})", False),
    "much about it": ("Any", "ToolResult([], {}, {'k': 'x' * 999})", False),
    "a large picture": ("Image", "Image(data=b'x' * 999)", False),
    "bytes": ("bytes", "b'\\xff' * 999", False),
}


@pytest.mark.parametrize("validator", ["pydantic", "builtin"])
def test_the_limit_is_for_each_part_and_a_value_counts_once(
    serve: Any, bare_python: str, validator: str
) -> None:
    python = {"python": bare_python} if validator == "builtin" else {}
    worker = serve({"a.py": listing(MEASURED)}, max_result_bytes=1000, **python)
    for number, (case, (_, _, fits)) in enumerate(MEASURED.items()):
        answer = worker.call(f"t{number}")
        assert answer["ok"] == fits, (case, answer)
        assert fits or answer["error"]["code"] == "result_too_large", case


def test_a_limit_above_what_an_answer_can_hold_breaks_nothing(serve: Any) -> None:
    text = HEAD + "@tool\ndef large(size: int) -> str:\n    return 'x' * size\n"
    worker = serve({"a.py": text}, max_result_bytes=1 << 30)
    assert "an answer" in worker.error("large", size=20_000_000)["message"]
    assert len(worker.result("large", size=16_000_000)["structuredContent"]["result"]) == 16_000_000


NON_FINITE = {
    "alone": ("float", "float('nan')", "contains `NaN`, which"),
    "in a mapping": ("dict", "{'a': {'b': [1.5, float('-inf')]}}", "contains `-Infinity` at `a.b[1]`, which"),
    "unsaid": ("Any", "[float('nan'), 10**400]", "contains `NaN` at `[0]`, which"),
    "in a dataclass": ("Point", "Point(float('inf'))", "contains `Infinity` at `x`, which"),
    "beside nothing": (
        "dict",
        "{'a': None, 'p': [Point(float('nan'))]}",
        "contains `NaN` at `p[0].x`, which",
    ),
    "in chosen parts": ("ToolResult", "ToolResult(structured_content={'a': float('nan')})", "`NaN` at `a`"),
}


@pytest.mark.parametrize("validator", ["pydantic", "builtin"])
def test_f18_a_number_that_is_not_finite_is_an_error_that_says_where(
    serve: Any, bare_python: str, validator: str
) -> None:
    python = {"python": bare_python} if validator == "builtin" else {}
    fine = "@tool\ndef fine() -> str: return 'NaN and Infinity are words here'\n"
    worker = serve({"a.py": listing(NON_FINITE) + fine}, **python)
    for number, (case, (_, _, part)) in enumerate(NON_FINITE.items()):
        error = worker.error(f"t{number}")
        assert error["code"] == "tool_error" and part in error["message"], (case, error)
    assert worker.result("fine")["structuredContent"] == {"result": "NaN and Infinity are words here"}


MAPPING = (
    "{'date': datetime.date(2020, 1, 2), 'at': datetime.datetime(2020, 1, 2, 3, 4, 5),\n"
    "  'decimal': decimal.Decimal('1.10'), 'id': uuid.UUID(int=7), 'set': {3}, 'tuple': (1, 'a'),\n"
    "  'bytes': b'raw', 'enum': Colour.RED, 'path': pathlib.Path('a/b'), 'point': Point(1.5)}"
)
PLAIN = {
    "date": "2020-01-02",
    "at": "2020-01-02T03:04:05",
    "decimal": "1.10",
    "id": "00000000-0000-0000-0000-000000000007",
    "set": [3],
    "tuple": [1, "a"],
    "bytes": "raw",
    "enum": "red",
    "path": "a/b",
    "point": {"x": 1.5, "y": 0},
}
NO_FORM = {
    "bare": ("Any", "Opaque()", "`Opaque`"),
    "where text was promised": ("str", "Opaque()", "`Opaque`"),
    "inside": ("dict", "{'a': [Opaque()]}", "`Opaque`"),
    "beside a picture": ("list", "[Image(data=b'x'), Opaque()]", "`Opaque`"),
    "bytes that are no text": ("Any", "[b'\\xff']", "`bytes`"),
}


@pytest.mark.parametrize("validator", ["pydantic", "builtin"])
def test_f19_common_values_become_json_and_others_an_error_that_names_the_type(
    serve: Any, bare_python: str, validator: str
) -> None:
    python = {"python": bare_python} if validator == "builtin" else {}
    text = listing(NO_FORM) + f"@tool\ndef mapping() -> dict:\n    return {MAPPING}\n"
    worker = serve({"a.py": text}, **python)
    for number, (case, (_, _, part)) in enumerate(NO_FORM.items()):
        error = worker.error(f"t{number}")
        assert error["code"] == "tool_error" and part in error["message"], (case, error)
        assert "0x" not in error["message"], (case, error)
    assert worker.result("mapping")["structuredContent"] == PLAIN


def test_f19_models_inside_a_mapping(serve: Any) -> None:
    text = HEAD + (
        "from pydantic import BaseModel\nclass M(BaseModel):\n    at: datetime.date\n"
        "@tool\ndef m() -> dict:\n    return {'m': [M(at=datetime.date(2020, 1, 2))]}\n"
    )
    assert serve({"a.py": text}).result("m")["structuredContent"] == {"m": [{"at": "2020-01-02"}]}


PNG = base64.b64encode(b"png").decode()
BLOCKS = {
    "image": ("Image", "Image(data=b'png')", [{"type": "image", "data": PNG, "mimeType": "image/png"}]),
    "jpg": (
        "Image",
        "Image(data=b'png', format='jpg')",
        [{"type": "image", "data": PNG, "mimeType": "image/jpeg"}],
    ),
    "audio": ("Audio", "Audio(data=b'png', format='mp3')", None),
    "mixed": (
        "list",
        "['t', Image(data=b'png'), {'a': 1}]",
        [
            {"type": "text", "text": "t"},
            {"type": "image", "data": PNG, "mimeType": "image/png"},
            {"type": "text", "text": '{"a":1}'},
        ],
    ),
    "text block": ("TextContent", "TextContent(type='text', text='x')", [{"type": "text", "text": "x"}]),
    "link": (
        "ResourceLink",
        "ResourceLink(name='n', uri='a://b', mime_type='text/plain')",
        [{"type": "resource_link", "name": "n", "uri": "a://b", "mimeType": "text/plain"}],
    ),
    "file": (
        "File",
        "File(data=b'hi', format='txt', name='n')",
        [
            {
                "type": "resource",
                "resource": {"uri": "file:///n.plain", "mimeType": "text/plain", "text": "hi"},
            }
        ],
    ),
}


def test_content_blocks(serve: Any) -> None:
    worker = serve({"a.py": listing(BLOCKS)})
    assert worker.ready["errors"] == []
    for number, (case, (_, _, blocks)) in enumerate(BLOCKS.items()):
        assert "outputSchema" not in worker.ready["tools"][number], case
        result = worker.result(f"t{number}")
        assert "structuredContent" not in result
        assert blocks is None or result["content"] == blocks, case
    assert worker.result("t2")["content"][0]["mimeType"] == "audio/mpeg"


WHOLE = {
    "all": (
        "ToolResult",
        "ToolResult(content='text', structured_content={'a': 1}, meta={'m': 2}, is_error=True)",
        {
            "content": [{"type": "text", "text": "text"}],
            "structuredContent": {"a": 1},
            "_meta": {"m": 2},
            "isError": True,
        },
    ),
    "structure": (
        "ToolResult",
        "ToolResult(structured_content={'a': 1})",
        {"content": [{"type": "text", "text": '{"a":1}'}], "structuredContent": {"a": 1}, "isError": False},
    ),
    "no content": ("ToolResult", "ToolResult(content=[])", {"content": [], "isError": False}),
    "protocol": (
        "CallToolResult",
        "CallToolResult(content=[TextContent(text='x')], structuredContent={'k': 1}, isError=True)",
        {"content": [{"type": "text", "text": "x"}], "structuredContent": {"k": 1}, "isError": True},
    ),
}


def test_whole_results(serve: Any) -> None:
    worker = serve({"a.py": listing(WHOLE)})
    for number, (case, (_, _, expected)) in enumerate(WHOLE.items()):
        assert worker.result(f"t{number}") == expected, case


def test_real_library_blocks(serve: Any, fastmcp_python: str) -> None:
    text = (
        "from fastmcp.tools import tool, ToolResult\nfrom fastmcp.utilities.types import Image\n"
        "from mcp.types import TextContent\nfrom fastmcp.exceptions import ToolError\n"
        "@tool\ndef a() -> ToolResult: return ToolResult(content=[TextContent(type='text', text='x')], meta={'m': 1})\n"
        "@tool\ndef b() -> Image: return Image(data=b'png')\n"
        "@tool\ndef c() -> str: raise ToolError('mine')\n"
        "@tool\ndef d() -> list: return [TextContent(type='text', text='x'), {'k': 1}]\n"
    )
    worker = serve({"a.py": text}, python=fastmcp_python)
    assert worker.result("a") == {
        "content": [{"type": "text", "text": "x"}],
        "_meta": {"m": 1},
        "isError": False,
    }
    assert worker.result("b")["content"] == [{"type": "image", "data": PNG, "mimeType": "image/png"}]
    assert worker.error("c")["message"] == "mine"
    assert [block["text"] for block in worker.result("d")["content"]] == ["x", '{"k":1}']


def test_generators(serve: Any) -> None:
    text = HEAD + (
        "@tool\ndef plain() -> list[int]:\n    yield 1\n    yield 2\n"
        "@tool\nasync def later() -> list[int]:\n    yield 3\n"
        "@tool\ndef broken() -> list[int]:\n    yield 1\n    raise ValueError('mid')\n"
    )
    worker = serve({"a.py": text})
    assert worker.result("plain")["structuredContent"] == {"result": [1, 2]}
    assert worker.result("later")["structuredContent"] == {"result": [3]}
    assert "mid" in worker.error("broken")["message"]


def test_models(serve: Any) -> None:
    text = HEAD + (
        "from pydantic import BaseModel, Field\nclass M(BaseModel):\n    inner_name: str = Field(alias='innerName')\n"
        "@tool\ndef echo(m: M, p: Point, at: datetime.datetime) -> M:\n"
        "    assert isinstance(p, Point) and at.year == 2020\n    return m\n"
    )
    worker = serve({"a.py": text})
    result = worker.result("echo", m={"innerName": "x"}, p={"x": 1}, at="2020-01-01T00:00:00Z")
    assert result["structuredContent"] == {"inner_name": "x"}
