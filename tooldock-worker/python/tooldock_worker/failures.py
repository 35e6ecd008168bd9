"""Turns whatever a tool raised into the error object of an answer."""

import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from .errors import CallError, CannotBeAsked, DependencyError, ToolError

MAX_TEXT = 256 * 1024
"""Characters of an error's text that travel, and of a traceback, whose last ones count.

The gateway shows 16 KiB: it is told more, so that no secret is cut in two before it was looked for.
"""

_RUNTIME = (f"{__package__}.", "importlib.", "importlib")
_BARE = {KeyError, IndexError, StopIteration, StopAsyncIteration, AssertionError}
"""Exceptions whose text says little without the type's name."""

_FOREIGN_TOOL_ERRORS = {"fastmcp", "mcp"}
_TOOL_ERRORS = {"ToolError", "ResourceError", "PromptError"}


class Failures:
    """Describes errors, knowing which declared secrets have no value."""

    def __init__(
        self, namespace: str, missing: frozenset[str] = frozenset(), waiting: frozenset[str] = frozenset()
    ) -> None:
        self.namespace = namespace
        self.missing = missing
        self.waiting = waiting

    def describe(self, tool: str, error: BaseException, action: str = "calling tool") -> dict[str, Any]:
        """The ``error`` member of an answer. Never raises."""
        try:
            return self._describe(tool, error, action)
        except BaseException:
            return {"code": "internal_error", "message": f"tool '{tool}' failed in a way that cannot be told"}

    def _describe(self, tool: str, error: BaseException, action: str) -> dict[str, Any]:
        if isinstance(error, CallError):
            described: dict[str, Any] = {"code": error.code, "message": str(error)}
            if error.details is not None:
                described["details"] = error.details
            return described
        code, message = self._classify(tool, error, action)
        return {"code": code, "message": message, "traceback": format_traceback(error)}

    def _classify(self, tool: str, error: BaseException, action: str) -> tuple[str, str]:
        if (explained := self.explain_missing(error)) is not None:
            return DependencyError.code, f"{explained[0]}; {explained[1]}"
        if isinstance(error, CannotBeAsked):
            return error.code, read_text(error)
        if is_tool_error(error):
            return "tool_error", read_text(error)
        if isinstance(error, Exception):
            return "tool_error", f"Error {action} '{tool}': {name_text(error)}"
        return "tool_error", f"the tool ended itself: {name_text(error)}"

    def explain_missing(self, error: BaseException) -> tuple[str, str] | None:
        """What is missing and what to do, when ``error`` stems from an absent secret or package."""
        for cause in _walk_causes(error):
            if (name := _find_key(cause)) in self.missing:
                state = "is a placeholder without a value" if name in self.waiting else "is not set"
                return (
                    f"the secret `{name}` {state}",
                    f"set the secret `{name}` for namespace `{self.namespace}`, then reload",
                )
        if isinstance(error, ModuleNotFoundError) and error.name:
            package = error.name.partition(".")[0]
            hint = (
                getattr(error, "hint", None)
                or f"add the package that provides `{package}` to requirements.txt"
            )
            return read_text(error), hint
        return None


def _find_key(error: BaseException) -> str:
    """The key that a ``KeyError`` is about; empty for any other error."""
    key = error.args[0] if isinstance(error, KeyError) and error.args else ""
    return key if isinstance(key, str) else ""


def is_tool_error(error: BaseException) -> bool:
    """Whether ``error`` is a ``ToolError``, of this runtime or of an installed library."""
    return isinstance(error, ToolError) or any(
        base.__name__ in _TOOL_ERRORS and base.__module__.partition(".")[0] in _FOREIGN_TOOL_ERRORS
        for base in type(error).__mro__
    )


def read_text(error: BaseException) -> str:
    """``str(error)``, the type's name when that is empty; cut to ``MAX_TEXT``; never raises."""
    try:
        text = str(error)
    except BaseException:
        return f"<{type(error).__name__} without readable text>"
    return text[:MAX_TEXT] or type(error).__name__


def name_text(error: BaseException) -> str:
    """``read_text``, after the type's name where the text says little without it; never raises."""
    text, kind = read_text(error), type(error)
    bare = kind in _BARE or not isinstance(error, Exception)
    return f"{kind.__name__}: {text}" if bare and text != kind.__name__ else text


def format_traceback(error: BaseException) -> str:
    """The traceback as text, at most its last ``MAX_TEXT`` characters; never raises."""
    try:
        began = skip_runtime(error.__traceback__)
        text = "".join(traceback.format_exception(type(error), error, began))
    except BaseException:
        text = f"<traceback of {type(error).__name__} cannot be made>"
    return text[-MAX_TEXT:]


def skip_runtime(step: TracebackType | None) -> TracebackType | None:
    """The part of a traceback that begins in the tool's own file."""
    first = step
    while step is not None and step.tb_frame.f_globals.get("__name__", "").startswith(_RUNTIME):
        step = step.tb_next
    return step or first


def _walk_causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__
