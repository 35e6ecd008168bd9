"""The files of the guide for authors do what it says."""

import pathlib
import re
from collections.abc import Callable
from typing import Any

GUIDE = pathlib.Path(__file__).parents[3] / "docs" / "tools.md"
BLOCK = re.compile(r"```python\n# (?P<namespace>\w+)/(?P<file>\w+\.py)\n(?P<text>.*?)```", re.DOTALL)


def read_files() -> dict[str, dict[str, str]]:
    """The files of each namespace."""
    found: dict[str, dict[str, str]] = {}
    for block in BLOCK.finditer(GUIDE.read_text(encoding="utf-8")):
        found.setdefault(block["namespace"], {})[block["file"]] = block["text"]
    return found


def test_every_file_of_the_guide_is_a_tool(serve: Callable[..., Any]) -> None:
    files = read_files()
    assert set(files) == {"weather", "pages", "team", "reports"}
    assert GUIDE.read_text(encoding="utf-8").count("```python") == sum(map(len, files.values()))
    for namespace, texts in files.items():
        worker = serve(texts)
        assert worker.ready["errors"] == [], namespace
        assert len(worker.ready["tools"]) == 1, namespace


def test_a_file_of_the_guide_can_be_called(serve: Callable[..., Any]) -> None:
    worker = serve(read_files()["weather"])
    result = worker.result("forecast", city="Lyon, FR", unit="fahrenheit")
    assert result["structuredContent"] == {"low": 48.2, "high": 63.5}
