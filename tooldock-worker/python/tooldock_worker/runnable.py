"""Functions that run for a call without being tools."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .call import Call
from .injection import inject
from .shapes import make_shape
from .signature import Parameter, read_signature
from .tool import Shape

MakeContext = Callable[[Call], Any]


@dataclass(frozen=True)
class Runnable:
    """A function whose arguments are checked, and which may take the call's context."""

    function: Callable[..., Any]
    shape: Shape
    parameters: tuple[Parameter, ...]
    contexts: tuple[str, ...]
    threaded: bool
    make_context: MakeContext

    @property
    def properties(self) -> dict[str, Any]:
        """The schemas of its parameters."""
        properties: dict[str, Any] = self.shape.input_schema.get("properties", {})
        return properties

    def invoke(self, call: Call, arguments: dict[str, Any]) -> Any:
        """Check the arguments and call the function; the value may still have to be awaited."""
        given = self.shape.bind(arguments)
        for name in self.contexts:
            given[name] = self.make_context(call)
        return self.function(**given)


def make_runnable(function: Callable[..., Any], make_context: MakeContext) -> Runnable:
    """Prepare a function that is no tool. Raises ``SchemaError``."""
    signature = read_signature(function)
    if signature.injected:
        function = inject(function, make_context)
    shape = make_shape(replace(signature, returns=None))
    contexts = () if signature.injected else signature.contexts
    return Runnable(function, shape, signature.parameters, contexts, not is_async(function), make_context)


def is_async(function: Callable[..., Any]) -> bool:
    """Whether calling ``function`` gives something that only the event loop can run."""
    own_call = getattr(function, "__call__", None)  # noqa: B004
    targets = (function, getattr(function, "func", None), own_call)
    return any(inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one) for one in targets)
