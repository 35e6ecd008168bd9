"""Reads a docstring: what the tool does, and what each parameter means.

Three styles are known: Google (`Args:`), NumPy (`Parameters` underlined) and Sphinx (`:param x:`).
The first whose structure is found wins; without any the whole text is the description.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

_PARAMETERS = {"args", "arguments", "params", "parameters"}
_SECTIONS = {
    "keyword args", "keyword arguments", "other args", "other arguments", "other params",
    "other parameters", "type args", "type arguments", "type params", "type parameters", "raises",
    "exceptions", "returns", "yields", "receives", "examples", "attributes", "functions",
    "methods", "classes", "type aliases", "modules", "warns", "warnings", "deprecated",
}  # fmt: skip
_NOTES = {
    "attention", "caution", "danger", "error", "example", "hint", "important", "note", "notes",
    "raise", "references", "return", "see also", "tip", "todo", "warning", "yield",
}  # fmt: skip
_FIELD = re.compile(r":(?P<kind>[a-z]+)(?: (?P<words>[^:]+))?:(?P<text>.*)")
_FIELD_PARAMETERS = {"param", "parameter", "arg", "argument", "key", "keyword"}
_FIELD_OTHERS = {
    "returns", "return", "raises", "raise", "except", "exception", "var", "ivar", "cvar",
}  # fmt: skip
_FIELD_TYPES = {"type", "rtype", "vartype"}
_HEADING = re.compile(r"(?P<name>\w[\s\w-]*):(?:\s+\S.*)?\s*")
_NAMES = re.compile(r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : .*| ?:)?\s*")


@dataclass(frozen=True)
class Documented:
    """The texts of a docstring."""

    description: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)


def read_docstring(function: Callable[..., Any]) -> Documented:
    """Read the docstring of a function or callable object."""
    return parse_docstring(inspect.getdoc(function) or "")


def parse_docstring(text: str) -> Documented:
    """Split a docstring whose indentation is removed."""
    lines = text.split("\n")
    for parse in (parse_google, parse_numpy, parse_sphinx):
        documented = parse(lines)
        if documented is not None:
            return documented
    return Documented(text or None)


def _describe(lines: list[str], parameters: dict[str, str]) -> Documented:
    return Documented("\n".join(lines).strip("\n").rstrip() or None, parameters)


def _is_blank(line: str) -> bool:
    return not line.strip()


def parse_google(lines: list[str]) -> Documented | None:
    """Headings with a colon, content indented below; ``None`` when there is none."""
    first, parameters = None, {}
    for at, name in _find_google_headings(lines):
        if name not in _PARAMETERS | _SECTIONS | _NOTES:
            continue
        first = at if first is None else first
        if name in _PARAMETERS:
            parameters.update(_read_google_items(lines[at + 1 :]))
    return None if first is None else _describe(lines[:first], parameters)


def _find_google_headings(lines: list[str]) -> Iterator[tuple[int, str]]:
    in_code = False
    for at, line in enumerate(lines[:-1]):
        if line.lstrip(" ").startswith("```"):
            in_code = not in_code
        heading = None if in_code else _HEADING.fullmatch(line)
        opens = at == 0 or _is_blank(lines[at - 1])
        if heading and opens and lines[at + 1].startswith(" ") and not _is_blank(lines[at + 1]):
            yield at, heading["name"].lower().replace("-", " ")


def _read_google_items(lines: list[str]) -> dict[str, str]:
    indent = len(lines[0]) - len(lines[0].lstrip())
    items: list[list[str]] = []
    for line in lines:
        if not _is_blank(line) and not line.startswith(" " * indent):
            break
        text = line[indent:]
        if _is_blank(line) or text.startswith(" "):
            deep = text[indent:] if text.startswith(" " * indent) else text.lstrip()
            items[-1].append(deep)
        else:
            items.append([text])
    parameters = {}
    for head, *more in items:
        name, colon, text = head.partition(":")
        if name.endswith(")"):
            name = name.partition("(")[0]
        if colon:
            parameters[name.strip()] = "\n".join([text.lstrip(), *more]).rstrip("\n")
    return parameters


def parse_numpy(lines: list[str]) -> Documented | None:
    """Headings underlined with dashes; ``None`` when there is none."""
    headings = [
        at
        for at, line in enumerate(lines[:-1])
        if line.strip().lower() in _SECTIONS | {"parameters"} and _is_underline(lines[at + 1])
    ]
    if not headings:
        return None
    parameters: dict[str, str] = {}
    for at, end in zip(headings, [*headings[1:], len(lines)], strict=True):
        if lines[at].strip().lower() == "parameters":
            parameters.update(_read_numpy_items(lines[at + 2 : end]))
    return _describe(lines[: headings[0]], parameters)


def _is_underline(line: str) -> bool:
    return not _is_blank(line) and _is_blank(line.replace("-", ""))


def _read_numpy_items(lines: list[str]) -> dict[str, str]:
    items: list[tuple[str, list[str]]] = []
    for line in lines:
        if _is_blank(line) or line.startswith(" "):
            if items:
                items[-1][1].append(line[4:] if line.startswith("    ") else line.lstrip())
        else:
            items.append((line, []))
    parameters = {}
    for head, texts in items:
        if match := _NAMES.match(head):
            text = "\n".join(texts).rstrip()
            parameters.update(dict.fromkeys(match["names"].split(", "), text))
    return parameters


def parse_sphinx(lines: list[str]) -> Documented | None:
    """Fields like ``:param name: text``; ``None`` when there is none."""
    first, structured = None, False
    parameters: dict[str, str] = {}
    for at, line in enumerate(lines):
        match = _FIELD.match(line)
        if match is None or match["kind"] not in _FIELD_PARAMETERS | _FIELD_OTHERS | _FIELD_TYPES:
            continue
        first = at if first is None else first
        structured = structured or match["kind"] not in _FIELD_TYPES
        if match["kind"] in _FIELD_PARAMETERS and match["words"]:
            parameters.setdefault(match["words"].split(" ")[-1], _read_field(match["text"], lines[at + 1 :]))
    return _describe(lines[:first], parameters) if structured else None


def _read_field(text: str, lines: list[str]) -> str:
    block = [text.strip()]
    for line in lines:
        if line.startswith(":"):
            break
        block.append(line)
    return inspect.cleandoc("\n".join(block)).strip()
