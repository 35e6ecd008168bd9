"""Finds what an imported file offers besides tools, however it was declared."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from .discovery import find_line, get, is_docstring, is_server
from .offers import CompletionMark, PromptMark, ResourceMark, read_offer_mark
from .server import Server

OfferMark = ResourceMark | PromptMark | CompletionMark
_MARKS: dict[str, Any] = {"resource": ResourceMark, "prompt": PromptMark, "completion": CompletionMark}


@dataclass(frozen=True)
class Offer:
    """A function that is to become a resource, a prompt or a completion."""

    function: Callable[..., Any]
    mark: OfferMark
    line: int | None

    @property
    def what(self) -> str:
        """How errors name it."""
        mark = self.mark
        if isinstance(mark, ResourceMark):
            return f"the resource `{mark.uri}`"
        if isinstance(mark, PromptMark):
            return f"the prompt `{mark.name or get(self.function, '__name__')}`"
        return f"the completion of `{mark.argument}` of `{mark.of}`"


def find_offers(module: ModuleType) -> list[Offer]:
    """What ``module`` offers, in the order of definition. What is imported from elsewhere does not count."""
    found: dict[tuple[int, str], Offer] = {}
    for value in list(vars(module).values()):
        for offer in _read_value(value):
            if get(offer.function, "__module__") == module.__name__:
                found.setdefault((id(offer.function), offer.mark.type), offer)
    return sorted(found.values(), key=lambda offer: offer.line or 0)


def _read_value(value: Any) -> Iterator[Offer]:
    if isinstance(value, ModuleType | type):
        return
    record = get(value, "__fastmcp__") if callable(value) else None
    if (kind := _MARKS.get(get(record, "type"))) is not None:
        yield Offer(value, read_offer_mark(kind, record), find_line(value))
    elif isinstance(value, Server):
        for function in value.offers:
            yield from _read_value(function)
    elif is_server(value):
        for manager, lists in _MANAGERS.items():
            for name in lists:
                listed = get(get(value, manager), name)
                for item in listed() if listed else ():
                    yield from _read_object(item)
    else:
        yield from _read_object(value)


_MANAGERS = {"_resource_manager": ("list_resources", "list_templates"), "_prompt_manager": ("list_prompts",)}
"""Where older libraries keep what their servers offer."""


def _read_object(value: Any) -> Iterator[Offer]:
    """The object that an older library puts in the function's place."""
    function = get(value, "fn")
    if not callable(function):
        return
    mark: ResourceMark | PromptMark | None = None
    if (template := get(value, "uri_template")) is not None:
        mark = replace(read_offer_mark(ResourceMark, _Renamed(value, template)), uri=str(template))
    elif get(value, "uri") is not None:
        mark = read_offer_mark(ResourceMark, value)
    elif isinstance(get(value, "arguments"), list):
        mark = read_offer_mark(PromptMark, value)
    if mark is not None:
        if is_docstring(mark.description, function):
            mark = replace(mark, description=None)
        yield Offer(function, mark, find_line(function))


class _Renamed:
    """A template object whose address is called as in the record."""

    def __init__(self, value: Any, uri: Any) -> None:
        self._value = value
        self.uri = uri

    def __getattr__(self, name: str) -> Any:
        return getattr(self._value, name)
