"""A loaded tool: how it is listed, called, and how its result is encoded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from .call import Call
from .result import encode_result


class Shape(Protocol):
    """The validator of one function, built once at load."""

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""

    @property
    def output_schema(self) -> dict[str, Any] | None:
        """The JSON Schema of the structured result, if it has one."""

    @property
    def bind(self) -> Callable[[dict[str, Any]], dict[str, Any]]:
        """Turns JSON arguments into keyword arguments; raises ``InvalidArguments``."""

    @property
    def dump(self) -> Callable[[Any], bytes]:
        """Encodes a returned value as JSON; raises ``RefusedResult`` or ``UnencodableResult``."""

    @property
    def show(self) -> Callable[[Any], bytes]:
        """Encodes any value, whatever the return annotation says; raises what ``dump`` raises."""


@dataclass(frozen=True)
class Tool:
    """One tool of this worker."""

    name: str
    function: Callable[..., Any]
    shape: Shape
    threaded: bool
    """A synchronous function that runs on the thread pool."""
    timeout: float | None
    contexts: tuple[str, ...]
    """Parameters that receive the call's context."""
    make_context: Callable[[Call], Any]
    listing: Mapping[str, Any] = field(repr=False)
    """The `Tool` object of the protocol."""
    action: str = "calling tool"
    wraps: bool = False
    """The structured result is the value under the key `result`."""

    def invoke(self, call: Call) -> Any:
        """Check the arguments and call the function; the value may still have to be awaited."""
        given = self.shape.bind(call.arguments)
        for name in self.contexts:
            given[name] = self.make_context(call)
        return self.function(**given)

    def encode(self, value: Any, limit: int) -> bytes:
        """The `result` member of the answer. Raises ``ResultTooLarge`` beyond ``limit`` bytes."""
        shape = self.shape
        has_schema = shape.output_schema is not None
        return encode_result(value, shape.dump, shape.show, has_schema, self.wraps, limit)
