"""Reads annotations and defaults of a file's text as far as that can be done without running it."""

import ast
import importlib
from contextlib import suppress
from typing import Annotated, Any, Literal, Union

from .signature import EMPTY
from .standin import NAMES

_SAFE = {"typing", "collections.abc", "datetime", "decimal", "pathlib", "uuid"}
"""Modules of the standard library whose names stand for types."""

_BUILTIN = {
    kind.__name__: kind
    for kind in (str, int, float, bool, bytes, list, dict, tuple, set, frozenset, complex)
} | {"object": Any, "None": None}  # fmt: skip

_UNION: Any = Union

UNKNOWN: Any = Any
"""What stands for an annotation that only the running file can tell."""


class Annotations:
    """The names of one file that stand for types."""

    def __init__(self, tree: ast.Module) -> None:
        self._imported: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.asname or alias.name.partition(".")[0]
                    self._imported[name] = alias.name if alias.asname else name
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    self._imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def read(self, node: ast.expr | None) -> Any:
        """The type that an annotation names, ``UNKNOWN`` where the text does not tell."""
        if node is None:
            return EMPTY
        with suppress(Exception):
            return self._read(node)
        return UNKNOWN

    def source_of(self, node: ast.expr) -> str:
        """The full name of what an expression calls or names, as the imports tell it."""
        if isinstance(node, ast.Call):
            return self.source_of(node.func)
        if isinstance(node, ast.Attribute):
            return f"{self.source_of(node.value)}.{node.attr}"
        return self._imported.get(node.id, node.id) if isinstance(node, ast.Name) else ""

    def _read(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                return self._read(ast.parse(node.value, mode="eval").body)
            return None if node.value is None else UNKNOWN
        if isinstance(node, ast.Name | ast.Attribute):
            return self._find(self.source_of(node))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return _UNION[self._read(node.left), self._read(node.right)]
        if isinstance(node, ast.Subscript):
            return self._subscript(self._read(node.value), node.slice)
        return UNKNOWN

    def _subscript(self, outer: Any, inner: ast.expr) -> Any:
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if outer is Literal:
            return Literal[tuple(ast.literal_eval(part) for part in parts)]
        if outer is Annotated:
            texts = [text for part in parts[1:] if (text := self._describe(part))]
            kind = self._read(parts[0])
            return Annotated[kind, texts[0]] if texts else kind
        if outer is UNKNOWN:
            return UNKNOWN
        dots = [... if _is_dots(part) else self._read(part) for part in parts]
        return outer[tuple(dots) if len(dots) > 1 else dots[0]]

    def _describe(self, node: ast.expr) -> str | None:
        """The description among the metadata of `Annotated`: a text, or that of a `Field`."""
        if isinstance(node, ast.Call):
            described = [word.value for word in node.keywords if word.arg == "description"]
            return self._describe(described[0]) if described else None
        return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

    def _find(self, name: str) -> Any:
        if name in _BUILTIN and name not in self._imported:
            return _BUILTIN[name]
        module, _, last = name.replace("typing_extensions.", "typing.").rpartition(".")
        if module in _SAFE:
            return getattr(importlib.import_module(module), last, UNKNOWN)
        if module == "tooldock":
            return NAMES["fastmcp"].get(last, UNKNOWN)
        return NAMES.get(module, {}).get(last, UNKNOWN)


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def read_constant(node: ast.expr) -> Any:
    """The value of an expression of constants; ``EMPTY`` for any other."""
    with suppress(Exception):
        return ast.literal_eval(node)
    return EMPTY
