"""Loaded completions: proposals for what a user types."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from .call import Call
from .errors import UnencodableResult
from .frames import encode_value
from .offerings import Offer
from .offers import CompletionMark
from .runnable import is_async

MOST = 100
"""Values that one answer may have."""


@dataclass(frozen=True)
class Completion:
    """What completes an argument, or everything that nothing else does."""

    function: Callable[..., Any]
    mark: CompletionMark
    parameters: int
    threaded: bool
    name: str
    timeout: float | None = None
    action: str = "completing"

    def invoke(self, call: Call) -> Any:
        """Call the function; the value may still have to be awaited."""
        asked = call.arguments
        if self.mark.of is not None:
            return self.function(*(asked["value"], asked["arguments"])[: self.parameters])
        reference = SimpleNamespace(**asked["ref"])
        argument = SimpleNamespace(name=asked["argument"], value=asked["value"])
        return self.function(reference, argument, SimpleNamespace(arguments=asked["arguments"]))

    def encode(self, value: Any, limit: int) -> bytes:
        """The `result` member of the answer."""
        return encode_completion(value)


def encode_completion(value: Any) -> bytes:
    """The values as they travel: at most ``MOST``, and how many there are."""
    values = getattr(value, "values", value)
    values = [] if values is None or callable(values) else list(values)
    if not all(isinstance(one, str) for one in values):
        raise UnencodableResult("a completion must return texts")
    total, more = getattr(value, "total", None), getattr(value, "has_more", None)
    if len(values) > MOST and total is None:
        total = len(values)
    made: dict[str, Any] = {"values": values[:MOST], "hasMore": bool(more) or len(values) > MOST}
    return encode_value({**made, "total": total} if total is not None else made)


def build_completion(offer: Offer) -> Completion:
    """Build a completion."""
    mark = offer.mark
    assert isinstance(mark, CompletionMark)
    parameters = len(inspect.signature(offer.function).parameters)
    name = f"{mark.of}.{mark.argument}" if mark.of else str(getattr(offer.function, "__name__", "completion"))
    return Completion(offer.function, mark, parameters, not is_async(offer.function), name)
