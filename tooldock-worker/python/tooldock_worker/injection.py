"""Tools whose parameters another library fills (``Depends``): the real fastmcp resolves them."""

import functools
import importlib
from collections.abc import Callable
from typing import Any

from .call import CURRENT, Call
from .errors import SchemaError
from .standin import is_standin


def inject(function: Callable[..., Any], make_context: Callable[[Call], Any]) -> Callable[..., Any]:
    """A function without the injected parameters. Raises ``SchemaError`` without the real fastmcp."""
    dependencies = importlib.import_module("fastmcp.server.dependencies")
    wrap = None if is_standin(dependencies) else getattr(dependencies, "without_injected_parameters", None)
    if wrap is None:
        raise SchemaError(
            "parameters filled by `Depends` need the real fastmcp: "
            "add the line `fastmcp>=3` to requirements.txt"
        )
    prepare = getattr(dependencies, "transform_context_annotations", None)
    resolved = wrap(function if prepare is None else prepare(function))
    bridge, enter = _make_bridge()

    @functools.wraps(function)
    async def run(**given: Any) -> Any:
        call = CURRENT.get()
        if call is None:
            return await resolved(**given)
        with enter(bridge(make_context(call))):
            return await resolved(**given)

    return run


@functools.cache
def _make_bridge() -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """The real library's context speaking through ours, and the way to make it current."""
    real = importlib.import_module("fastmcp.server.context")
    server = importlib.import_module("fastmcp").FastMCP("tooldock")
    base: Any = real.Context

    class Bridge(base):  # type: ignore[misc]
        """The real context where a session would be needed, replaced by notes and asks."""

        def __init__(self, ours: Any) -> None:
            super().__init__(fastmcp=server)
            for name in _SERVED:
                object.__setattr__(self, name, getattr(ours, name))
            object.__setattr__(self, "_ours", ours)

        @property
        def request_id(self) -> str:
            """The id of the client's request."""
            return str(self._ours.request_id)

    return Bridge, real.set_context


_SERVED = (
    "log", "debug", "info", "warning", "error", "report_progress", "elicit", "elicit_url", "sample",
    "list_roots", "supports", "wait", "get_state", "set_state",
)  # fmt: skip
"""What our context does in place of the real one."""
