"""Finds the tools of an imported file, however they were declared."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from .errors import SchemaError
from .marks import DERIVE, Mark, read_mark
from .server import Server

_SERVERS = {"FastMCP", "MCPServer"}


@dataclass(frozen=True)
class Found:
    """A function that is to become a tool."""

    function: Callable[..., Any]
    mark: Mark
    line: int | None
    problem: SchemaError | None = None
    """Why it cannot become one."""
    model: Any = None
    """The pydantic model whose instance the function takes as its only parameter."""

    @property
    def name(self) -> str:
        """The tool's name: the decorator's, else the function's."""
        return self.mark.name or str(getattr(self.function, "__name__", type(self.function).__name__))


def find_tools(module: ModuleType, decorated: Sequence[tuple[str, int]]) -> list[Found]:
    """The tools of ``module`` in the order of their definition.

    ``decorated`` are the functions that the file's text decorates with something named ``tool``;
    they count even when the decorator left no mark. Tools imported from elsewhere do not count.
    """
    found: dict[int, Found] = {}
    for value in list(vars(module).values()):
        for tool in _read_value(value):
            if getattr(tool.function, "__module__", None) == module.__name__:
                found.setdefault(id(tool.function), tool)
    known = list(found.values())
    lines = {tool.line for tool in known}
    last = dict(decorated)
    for name, line in decorated:
        value = vars(module).get(name)
        if line in lines or value is None:
            continue
        if line != last[name]:
            known.append(Found(value, Mark(name=name), line, _refuse_lost(name, last[name])))
        elif id(value) not in found:
            known += _read_decorated(value, name, line, module, known)
    return sorted(known, key=lambda tool: tool.line or 0)


def _read_decorated(
    value: Any, name: str, line: int, module: ModuleType, known: Sequence[Found]
) -> Iterator[Found]:
    """What the text decorates with a ``tool`` that left no mark."""
    if isinstance(value, FunctionType):
        if value.__name__ == name or value.__module__ == module.__name__:
            yield Found(value, Mark(name=name), line)
    elif not any(name == tool.function.__name__ for tool in known):
        yield Found(value, Mark(name=name), line, _refuse_object(name, value))


def _read_value(value: Any) -> Iterator[Found]:
    if isinstance(value, ModuleType | type):
        return
    record = get(value, "__fastmcp__") if callable(value) else None
    if get(record, "type") == "tool":
        yield Found(value, read_mark(record), find_line(value))
    elif isinstance(value, Server):
        for function in value.functions:
            yield Found(function, read_mark(get(function, "__fastmcp__")), find_line(function))
    elif _is_tool_object(value):
        yield _read_object(value)
    elif is_server(value):
        manager = get(value, "_tool_manager")
        for tool in manager.list_tools() if get(manager, "list_tools") else ():
            yield _read_object(tool)


def _is_tool_object(value: Any) -> bool:
    if not callable(get(value, "fn")) or get(value, "uri_template") is not None:
        return False
    return isinstance(get(value, "parameters"), dict)


def is_server(value: Any) -> bool:
    """Whether ``value`` is the server object of an installed library."""
    return any(base.__name__ in _SERVERS for base in type(value).__mro__)


def get(value: Any, name: str) -> Any:
    """An attribute, or ``None``: a file may hold objects that refuse in any way."""
    try:
        return getattr(value, name, None)
    except Exception:
        return None


def _read_object(tool: Any) -> Found:
    options: dict[str, Any] = {
        name: getattr(tool, name, None)
        for name in ("name", "title", "description", "annotations", "icons", "tags", "timeout", "meta")
    }
    if is_docstring(options["description"], tool.fn):
        options["description"] = None
    enabled = getattr(tool, "enabled", True)
    return Found(tool.fn, Mark(**options, enabled=bool(enabled), output_schema=DERIVE), find_line(tool.fn))


def is_docstring(text: Any, function: Any) -> bool:
    """Whether a library only copied the docstring, which is read here in its own way."""
    return isinstance(text, str) and inspect.cleandoc(text) == inspect.getdoc(function)


def find_line(function: Any) -> int | None:
    """The line on which a function's definition begins, decorators included."""
    try:
        code = getattr(inspect.unwrap(function), "__code__", None)
    except ValueError:
        code = None
    return getattr(code, "co_firstlineno", None)


def _refuse_lost(name: str, line: int) -> SchemaError:
    return SchemaError(
        f"`{name}` is defined again on line {line}, and that one counts: rename one of the two"
    )


def _refuse_object(name: str, value: Any) -> SchemaError:
    return SchemaError(
        f"`{name}` is decorated with a `tool` that makes it a {type(value).__name__}: "
        "use `from tooldock import tool`, or a decorator that returns the function"
    )
