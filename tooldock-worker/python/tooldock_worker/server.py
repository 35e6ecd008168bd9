"""The stand-in for ``FastMCP`` and ``MCPServer`` objects: keeps the tools a file gives it."""

from collections.abc import Callable
from typing import Any

from .marks import Function, make_mark
from .offers import CompletionMark, prompt, resource


class Server:
    """Collects functions decorated with ``@server.tool``.

    Anything else of the real class (mounting, middleware, custom routes, running) raises
    ``AttributeError`` saying what to install.
    """

    def __init__(self, name: str | None = None, **options: Any) -> None:
        self.name = name or "server"
        self.options = options
        self.functions: list[Callable[..., Any]] = []
        self.offers: list[Callable[..., Any]] = []

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

    def resource(self, uri: str, /, **options: Any) -> Callable[[Function], Function]:
        """Make a function a resource of this server."""
        return self._keep(resource(uri, **options))

    def prompt(self, target: Any = None, /, **options: Any) -> Any:
        """Make a function a prompt of this server; with or without parentheses or a name."""
        if target is None or isinstance(target, str):
            return self._keep(prompt(target, **options))
        return self._keep(prompt(**options))(target)

    def completion(self, target: Any = None, /) -> Any:
        """Let a function ``(ref, argument, context)`` complete what nothing else does."""

        def mark(function: Function) -> Function:
            function.__fastmcp__ = CompletionMark()  # type: ignore[attr-defined]
            return function

        decorate = self._keep(mark)
        return decorate if target is None else decorate(target)

    def _keep(self, decorate: Callable[[Function], Function]) -> Callable[[Function], Function]:
        def keep(function: Function) -> Function:
            self.offers.append(decorate(function))
            return function

        return keep

    def add_resource(self, function: Function) -> Function:
        """Make a decorated function a resource of this server."""
        self.offers.append(function)
        return function

    def add_prompt(self, function: Function) -> Function:
        """Make a decorated function a prompt of this server."""
        self.offers.append(function)
        return function

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
