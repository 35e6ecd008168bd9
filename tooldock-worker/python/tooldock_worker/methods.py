"""Decorated methods, which cannot become tools: a call has no object to run them on."""

import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from .discovery import Found
from .errors import SchemaError
from .marks import Mark


def refuse_methods(module: ModuleType, methods: Mapping[int, str], tools: list[Found]) -> list[Found]:
    """``tools`` with each of ``methods`` as a tool that has a problem, in the order of the file.

    Static methods stay as they are where a server object collected them: they need no instance.
    """
    by_line = {tool.line: tool for tool in tools if tool.line in methods}
    refused = []
    for line, name in methods.items():
        method = _find(module, name)
        if method is not None and not (line in by_line and isinstance(method, staticmethod)):
            refused.append(Found(method, Mark(name=name), line, _refuse(name)))
    lines = {tool.line for tool in refused}
    kept = [tool for tool in tools if tool.line not in lines]
    return sorted([*kept, *refused], key=lambda tool: tool.line or 0)


def _find(module: ModuleType, path: str) -> Any:
    """The method by its path, ``None`` when its class is not there any more."""
    owner: Any = module
    for step in path.split("."):
        owner = inspect.getattr_static(owner, step, None)
    return owner


def _refuse(name: str) -> SchemaError:
    return SchemaError(
        f"a tool must be a function of the module; `{name}` belongs to a class: "
        "write a function beside the class that calls it"
    )
