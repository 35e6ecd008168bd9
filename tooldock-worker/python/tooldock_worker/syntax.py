"""Finds decorated functions in a file's text, without running it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Decorated:
    """What a file decorates with something named ``tool``: ``@tool``, ``@tool(...)``, ``@x.tool(...)``."""

    functions: list[tuple[str, int]]
    """Functions of the module and the line on which each begins."""
    methods: dict[int, str]
    """Methods of its classes (`Shop.price`), by the line on which each begins."""


def find_decorated(source: bytes, path: str) -> Decorated:
    """What the text decorates. Raises ``SyntaxError``, which names ``path``."""
    found = list(_walk(ast.parse(source, path), ""))
    return Decorated(
        [(name, line) for name, line in found if "." not in name],
        {line: name for name, line in found if "." in name},
    )


def _walk(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, int]]:
    for part in node.body:
        if isinstance(part, ast.ClassDef):
            yield from _walk(part, f"{prefix}{part.name}.")
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and any(
            map(is_tool_decorator, part.decorator_list)
        ):
            yield f"{prefix}{part.name}", part.decorator_list[0].lineno


def is_tool_decorator(decorator: ast.expr) -> bool:
    """Whether a decorator is named ``tool``."""
    return _name_of(decorator) == "tool"


def _name_of(decorator: ast.expr) -> str | None:
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    if isinstance(decorator, ast.Attribute):
        return decorator.attr
    return decorator.id if isinstance(decorator, ast.Name) else None
