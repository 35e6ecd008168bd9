"""The ``tool`` decorator and the record it leaves on a function."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, overload


class Derive:
    """The type of :data:`DERIVE`."""

    def __repr__(self) -> str:
        return "DERIVE"


DERIVE: Final = Derive()
"""The output schema is to be derived from the return annotation."""

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Mark:
    """What a decorator said about a tool. ``None`` means: take it from the function."""

    name: str | None = None
    title: str | None = None
    description: str | None = None
    tags: Iterable[str] | None = None
    category: str | None = None
    enabled: bool = True
    annotations: Any = None
    icons: Iterable[Any] | None = None
    timeout: float | None = None
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | Derive | None = DERIVE
    requires: Mapping[str, Any] | None = None
    run_in_thread: bool = True
    meta: dict[str, Any] | None = None
    version: str | int | None = None
    task: Any = None
    auth: Any = None
    type: str = "tool"


@overload
def tool(function: Function, /) -> Function: ...


@overload
def tool(name: str | None = None, /, **options: Any) -> Callable[[Function], Function]: ...


def tool(target: Any = None, /, **options: Any) -> Any:
    """Make a function a tool: ``@tool``, ``@tool("name")`` or ``@tool(name=..., ...)``.

    Options: ``name``, ``title``, ``description`` (default: the docstring), ``tags``,
    ``category``, ``enabled``, ``annotations``, ``icons``, ``timeout`` (seconds),
    ``input_schema`` and ``output_schema`` (JSON Schema instead of the derived one),
    ``requires``, ``run_in_thread`` (synchronous functions only), ``meta``.
    The function itself is returned unchanged, so it can still be called directly.
    """
    if isinstance(target, str):
        if options.setdefault("name", target) != target:
            raise TypeError(f"the tool has two names: `{target}` and `{options['name']}`")
        target = None
    mark = make_mark(options)

    def decorate(function: Function) -> Function:
        if not callable(function):
            raise TypeError(f"`tool` decorates a function, not a {type(function).__name__}")
        function.__fastmcp__ = mark  # type: ignore[attr-defined]
        return function

    return decorate if target is None else decorate(target)


def make_mark(options: dict[str, Any]) -> Mark:
    """Build the record. Raises ``TypeError`` naming an option that does not exist."""
    unknown = sorted(set(options) - set(Mark.__dataclass_fields__) | ({"type"} & set(options)))
    if unknown:
        known = ", ".join(name for name in Mark.__dataclass_fields__ if name != "type")
        raise TypeError(f"`tool` has no option `{unknown[0]}`; it knows {known}")
    return Mark(**options)


def read_mark(record: Any) -> Mark:
    """Read the record that this or a real decorator left, whatever fields it has."""
    if isinstance(record, Mark):
        return record
    found = {name: getattr(record, name) for name in Mark.__dataclass_fields__ if hasattr(record, name)}
    schema = found.get("output_schema", DERIVE)
    found["output_schema"] = schema if schema is None or isinstance(schema, dict) else DERIVE
    if found.get("enabled") is None:
        found["enabled"] = True
    if found.get("run_in_thread") is None:
        found["run_in_thread"] = True
    return Mark(**found)
