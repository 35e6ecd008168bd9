"""The parameters of a tool's function, with annotations resolved."""

import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import SchemaError

EMPTY: Any = inspect.Parameter.empty

_CONTEXT_HOMES = {"fastmcp", "mcp", "tooldock", "tooldock_worker"}
_INJECTED_BASES = {"Depends", "_Depends", "Dependency"}
_REFUSED = {
    inspect.Parameter.POSITIONAL_ONLY: "`{}` is positional-only: remove the `/` from the signature",
    inspect.Parameter.VAR_POSITIONAL: "`*{}` cannot be a tool argument: name each parameter",
    inspect.Parameter.VAR_KEYWORD: "`**{}` cannot be a tool argument: name each parameter",
}


@dataclass(frozen=True)
class Parameter:
    """One argument of the tool."""

    name: str
    annotation: Any
    default: Any = EMPTY


@dataclass(frozen=True)
class Signature:
    """What a tool takes and gives."""

    parameters: tuple[Parameter, ...]
    contexts: tuple[str, ...]
    """Names of parameters that receive the call's context."""
    injected: tuple[str, ...]
    """Names of parameters filled by another library's dependency injection."""
    returns: Any


def read_signature(function: Callable[..., Any]) -> Signature:
    """Read a function's signature. Raises ``SchemaError`` when it cannot be a tool's."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise SchemaError(f"the signature cannot be read: {error}") from error
    hints = resolve_hints(function)
    taken: list[Parameter] = []
    contexts: list[str] = []
    injected: list[str] = []
    for name, parameter in signature.parameters.items():
        if parameter.kind in _REFUSED:
            raise SchemaError(_REFUSED[parameter.kind].format(name))
        annotation = hints.get(name, parameter.annotation)
        if is_context(annotation) or type(parameter.default).__name__ in {
            "_CurrentContext",
            "CurrentContext",
        }:
            contexts.append(name)
        elif is_injected(annotation, parameter.default):
            injected.append(name)
        else:
            taken.append(Parameter(name, annotation, parameter.default))
    returns = hints.get("return", signature.return_annotation)
    return Signature(tuple(taken), tuple(contexts), tuple(injected), returns)


def resolve_hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of a function or callable object, names in quotes resolved."""
    target: Any = function
    while hasattr(target, "func") and not hasattr(target, "__code__"):
        target = target.func
    target = inspect.unwrap(target)
    if not hasattr(target, "__code__"):
        target = getattr(target, "__func__", None) or type(target).__call__
    annotations = dict(getattr(target, "__annotations__", {}))
    # A holder without defaults: older interpreters would turn `x: int = None` into an optional.
    holder = types.SimpleNamespace(__annotations__=annotations)
    try:
        names = getattr(target, "__globals__", {})
        hints = typing.get_type_hints(holder, globalns=names, include_extras=True)
    except NameError as error:
        raise SchemaError(f"an annotation names `{error.name}`, which the file does not define") from error
    except Exception as error:
        raise SchemaError(f"an annotation cannot be resolved: {error}") from error
    return {name: None if annotations[name] is None else hint for name, hint in hints.items()}


def is_context(annotation: Any) -> bool:
    """Whether a parameter annotated like this receives the call's context."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return any(
            base.__name__ == "Context" and base.__module__.partition(".")[0] in _CONTEXT_HOMES
            for base in annotation.__mro__
        )
    if typing.get_origin(annotation) is not None:
        return any(is_context(part) for part in typing.get_args(annotation))
    return False


def is_injected(annotation: Any, default: Any) -> bool:
    """Whether a parameter is filled by a library's dependency injection (``Depends``)."""
    marks = [default, *getattr(annotation, "__metadata__", ())]
    return any(base.__name__ in _INJECTED_BASES for mark in marks for base in type(mark).__mro__)
