"""Tells what a tool file will offer from its text alone, and what is wrong with it. Nothing of it is run.

The process that does this gets the text on its standard input and answers on its standard output.
"""

import ast
import io
import json
import resource
import sys
import tokenize
from collections.abc import Iterator
from typing import Any

from .annotations import Annotations, read_constant
from .docstring import parse_docstring
from .errors import SchemaError
from .kinds import find_kind
from .objects import make_property
from .signature import EMPTY, is_context
from .sources import MAX_SOURCE
from .syntax import find_decorated, is_tool_decorator

_LIMITS = {
    resource.RLIMIT_CPU: 5,
    resource.RLIMIT_AS: 512 << 20,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_CORE: 0,
}
"""What the parser may use, whatever text it is given."""

_INJECTED = {"Depends", "CurrentContext"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def run() -> None:
    """Outline the file on standard input."""
    for limit, most in _LIMITS.items():
        resource.setrlimit(limit, (most, most))
    source = sys.stdin.buffer.read(MAX_SOURCE + 1)
    print(json.dumps(outline(source)))


def outline(source: bytes) -> dict[str, Any]:
    """The tools of a file, each with its schema, and its problems with line and remedy."""
    try:
        source.decode()
        decorated = find_decorated(source, "file")
        tree = ast.parse(source)
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        return _refuse(line, "the file is no UTF-8 text", "save it as UTF-8")
    except SyntaxError as error:
        return _refuse(
            error.lineno, f"syntax error: {error.msg}", "correct this line and what stands before it"
        )
    except (ValueError, RecursionError, MemoryError) as error:
        return _refuse(None, f"it cannot be parsed: {error or type(error).__name__}", "write it more simply")
    if declared := _declared(source):
        return _refuse(
            1, f"it declares the encoding `{declared}`", "remove the declaration and save it as UTF-8"
        )
    reader = _Reader(tree)
    problems = [
        _problem(line, f"the method `{name}` cannot be a tool", "write a function beside its class")
        for line, name in decorated.methods.items()
    ]
    for function in _functions(tree):
        problems += reader.check(function)
    tools = [reader.describe(function) for function in _functions(tree)]
    if not tools and not problems:
        problems.append(
            _problem(
                None, "No @tool decorator found", "decorate a function: `from tooldock import tool`, `@tool`"
            )
        )
    return {"tools": tools, "problems": problems}


def _declared(source: bytes) -> str | None:
    """An encoding other than UTF-8 that the first two lines declare (PEP 263)."""
    try:
        name, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as error:
        return str(error)
    return None if name in {"utf-8", "utf-8-sig"} else name


def _functions(tree: ast.Module) -> Iterator[Function]:
    """The functions of the module that a ``tool`` marks; of two of one name the last counts."""
    marked = [
        node
        for node in tree.body
        if isinstance(node, Function) and any(map(is_tool_decorator, node.decorator_list))
    ]
    return iter({node.name: node for node in marked}.values())


class _Reader:
    """Reads the functions of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self._types = Annotations(tree)

    def check(self, function: Function) -> Iterator[dict[str, Any]]:
        """What has to be changed before the function may become a tool."""
        name, given = function.name, function.args
        if not (ast.get_docstring(function) or "").strip():
            yield _problem(
                function.lineno,
                f"`{name}` has no docstring",
                "say in it what the tool does and when to use it",
            )
        starred = [one for one in (given.vararg, given.kwarg) if one]
        for one in [*starred, *given.posonlyargs]:
            yield _problem(
                one.lineno,
                f"`{name}`: `{one.arg}` cannot be a tool argument",
                "name each parameter, without `*` and `/`",
            )
        for one in [*given.args, *given.kwonlyargs]:
            if one.annotation is None and not self._is_injected(_default(given, one)):
                yield _problem(
                    one.lineno,
                    f"`{name}`: the parameter `{one.arg}` has no type",
                    f"write `{one.arg}: str`, for example",
                )

    def describe(self, function: Function) -> dict[str, Any]:
        """The tool that the function becomes."""
        options = self._options(function)
        documented = parse_docstring(ast.get_docstring(function) or "")
        schema = self._schema(function.args)
        for name, text in documented.parameters.items():
            schema["properties"].get(name, {}).setdefault("description", text)
        return {
            "name": options.get("name") or function.name,
            "description": options.get("description") or documented.description,
            "line": function.decorator_list[0].lineno,
            "input_schema": options.get("input_schema") or schema,
        }

    def _options(self, function: Function) -> dict[str, Any]:
        """The options of the decorator that are constants."""
        call = next(one for one in function.decorator_list if is_tool_decorator(one))
        if not isinstance(call, ast.Call):
            return {}
        given = {word.arg: read_constant(word.value) for word in call.keywords if word.arg}
        if call.args:
            given.setdefault("name", read_constant(call.args[0]))
        return {name: value for name, value in given.items() if value is not EMPTY}

    def _schema(self, given: ast.arguments) -> dict[str, Any]:
        properties, required = {}, []
        for one in [*given.args, *given.kwonlyargs]:
            kind, default = self._types.read(one.annotation), _default(given, one)
            if is_context(kind) or self._is_injected(default):
                continue
            value = EMPTY if default is None else read_constant(default)
            defaults = {} if value is EMPTY else {one.arg: value}
            properties[one.arg] = make_property(_find_kind(kind), defaults, one.arg)
            if default is None:
                required.append(one.arg)
        schema: dict[str, Any] = {"additionalProperties": False, "properties": properties, "type": "object"}
        return {**schema, "required": required} if required else schema

    def _is_injected(self, default: ast.expr | None) -> bool:
        return default is not None and self._types.source_of(default).rpartition(".")[2] in _INJECTED


def _find_kind(annotation: Any) -> Any:
    try:
        return find_kind(annotation)
    except (SchemaError, TypeError):
        return find_kind(Any)


def _default(given: ast.arguments, one: ast.arg) -> ast.expr | None:
    """The default of a parameter."""
    if one in given.kwonlyargs:
        return given.kw_defaults[given.kwonlyargs.index(one)]
    behind = len(given.args) - given.args.index(one)
    return given.defaults[-behind] if behind <= len(given.defaults) else None


def _problem(line: int | None, problem: str, remedy: str) -> dict[str, Any]:
    return {"line": line, "problem": problem, "remedy": remedy}


def _refuse(line: int | None, problem: str, remedy: str) -> dict[str, Any]:
    return {"tools": [], "problems": [_problem(line, problem, remedy)]}
