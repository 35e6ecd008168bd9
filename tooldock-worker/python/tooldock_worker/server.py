"""The stand-in for ``FastMCP`` and ``MCPServer`` objects: keeps the tools a file gives it."""

from collections.abc import Callable
from typing import Any

from .marks import Function, make_mark


class Server:
    """Collects functions decorated with ``@server.tool``.

    Anything else of the real class (mounting, middleware, custom routes, running) raises
    ``AttributeError`` saying what to install.
    """

    def __init__(self, name: str | None = None, **options: Any) -> None:
        self.name = name or "server"
        self.options = options
        self.functions: list[Callable[..., Any]] = []

    def tool(self, target: Any = None, /, **options: Any) -> Any:
        """Make a function a tool of this server; with or without parentheses or a name."""
        if isinstance(target, str):
            options["name"] = target
            target = None
        mark = make_mark(options)

        def decorate(function: Function) -> Function:
            function.__fastmcp__ = mark  # type: ignore[attr-defined]
            self.functions.append(function)
            return function

        return decorate if target is None else decorate(target)

    def add_tool(self, function: Function, **options: Any) -> Function:
        """Make ``function`` a tool of this server."""
        decorated: Function = function if hasattr(function, "__fastmcp__") else self.tool(**options)(function)
        if decorated not in self.functions:
            self.functions.append(decorated)
        return decorated

    def run(self, *given: Any, **options: Any) -> None:
        """Refuse: the worker serves the file, a tool file does not run a server."""
        raise RuntimeError(
            'a tool file is served by the worker: put `run()` under `if __name__ == "__main__":`'
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(
            f"the server object has no `{name}` here: add the line `fastmcp>=3` to requirements.txt "
            "or run the file as an upstream server"
        )
