"""The decorators ``resource``, ``prompt`` and ``completion``, and the records they leave on functions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from .marks import Function


@dataclass(frozen=True)
class ResourceMark:
    """What a decorator said about a resource. ``None`` means: take it from the function."""

    uri: str
    name: str | None = None
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    tags: Iterable[str] | None = None
    enabled: bool = True
    annotations: Any = None
    icons: Iterable[Any] | None = None
    meta: dict[str, Any] | None = None
    version: str | int | None = None
    auth: Any = None
    type: str = "resource"


@dataclass(frozen=True)
class PromptMark:
    """What a decorator said about a prompt. ``None`` means: take it from the function."""

    name: str | None = None
    title: str | None = None
    description: str | None = None
    tags: Iterable[str] | None = None
    enabled: bool = True
    icons: Iterable[Any] | None = None
    meta: dict[str, Any] | None = None
    version: str | int | None = None
    auth: Any = None
    type: str = "prompt"


@dataclass(frozen=True)
class CompletionMark:
    """What a function completes: an argument of a prompt or template, or anything that is asked for."""

    of: str | None = None
    argument: str | None = None
    type: str = "completion"


Mark = TypeVar("Mark", ResourceMark, PromptMark, CompletionMark)


def resource(uri: str, /, **options: Any) -> Callable[[Function], Function]:
    """Make a function a resource: ``@resource("note://today")``, or a family of them: ``@resource("note://{name}")``.

    The function takes the variables of the address and returns text, bytes, something that JSON can
    carry, or a ``ResourceResult``. Options: ``name``, ``title``, ``description`` (default: the docstring),
    ``mime_type`` (default ``text/plain``), ``tags``, ``enabled``, ``annotations``, ``icons``, ``meta``.
    """
    if not isinstance(uri, str):
        raise TypeError('`resource` needs an address: `@resource("note://today")`')
    return _decorate(make_offer_mark(ResourceMark, {"uri": uri, **options}))


def prompt(target: Any = None, /, **options: Any) -> Any:
    """Make a function a prompt: ``@prompt``, ``@prompt("name")`` or ``@prompt(name=..., ...)``.

    The function returns text, a ``Message``, a list of both, or a ``PromptResult``. Options: ``name``,
    ``title``, ``description`` (default: the docstring), ``tags``, ``enabled``, ``icons``, ``meta``.
    """
    if isinstance(target, str):
        options["name"] = target
        target = None
    decorate = _decorate(make_offer_mark(PromptMark, options))
    return decorate if target is None else decorate(target)


def completion(of: str, argument: str, /) -> Callable[[Function], Function]:
    """Let a function complete an argument of a prompt or template: ``@completion("greet", "who")``.

    The function takes what was typed, and where it has a second parameter the arguments that are chosen
    already, by name. It returns a list of texts.
    """
    return _decorate(CompletionMark(of, argument))


def _decorate(mark: Any) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        if not callable(function):
            raise TypeError(f"`{mark.type}` decorates a function, not a {type(function).__name__}")
        function.__fastmcp__ = mark  # type: ignore[attr-defined]
        return function

    return decorate


def make_offer_mark(kind: type[Mark], options: dict[str, Any]) -> Mark:
    """Build a record. Raises ``TypeError`` naming an option that does not exist."""
    known = [field.name for field in fields(kind) if field.name != "type"]
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise TypeError(f"`{kind.type}` has no option `{unknown[0]}`; it knows {', '.join(known)}")
    return kind(**options)


def read_offer_mark(kind: type[Mark], record: Any) -> Mark:
    """Read what this or a real decorator left, or a library's object, whatever fields it has."""
    if isinstance(record, kind):
        return record
    names = [field.name for field in fields(kind) if field.name not in {"type", "version", "auth"}]
    found = {name: getattr(record, name) for name in names if hasattr(record, name)}
    if "uri" in found:
        found["uri"] = str(found["uri"])
    if not isinstance(found.get("enabled", True), bool):
        found["enabled"] = True
    return kind(**found)
