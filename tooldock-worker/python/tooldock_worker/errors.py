"""The errors with which the runtime answers calls."""

from typing import Any

MAX_ERRORS = 100
"""Refused values told of one call."""


class CallError(Exception):
    """A failed call with its protocol code; the message is safe for the caller."""

    code = "internal_error"

    def __init__(self, message: str, details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.details = details


class ToolNotFound(CallError):
    """No tool of that name in this worker."""

    code = "tool_not_found"


class ResourceNotFound(CallError):
    """No resource or template of that address in this worker."""

    code = "resource_not_found"


class PromptNotFound(CallError):
    """No prompt of that name in this worker."""

    code = "prompt_not_found"


class InvalidArguments(CallError):
    """The arguments were refused; ``details`` is ``{"errors": [{"loc", "msg", "type"}]}``."""

    code = "invalid_arguments"

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        first = errors[0] if errors else {"loc": [], "msg": "refused"}
        place = ".".join(str(step) for step in first["loc"])
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        text = f"`{place}`: {first['msg']}{more}" if place else f"{first['msg']}{more}"
        super().__init__(
            f"the arguments do not fit the tool's input schema: {text}", {"errors": errors[:MAX_ERRORS]}
        )


class RefusedResult(CallError):
    """The tool returned something that JSON cannot carry, such as NaN."""

    code = "tool_error"


class UnencodableResult(CallError):
    """The tool returned something that has no JSON form."""

    code = "tool_error"

    def __init__(self, why: str) -> None:
        super().__init__(f"the result cannot be encoded as JSON: {why}")


class ResultTooLarge(CallError):
    """The encoded result is larger than a limit, by default ``max_result_bytes``."""

    code = "result_too_large"

    def __init__(self, limit: int, which: str = "`max_result_bytes`") -> None:
        super().__init__(
            f"the tool's result is larger than the limit of {limit} bytes ({which}): "
            "return less, or a link to the data"
        )


class Cancelled(CallError):
    """The call was cancelled."""

    code = "cancelled"


class ExecutionTimeout(CallError):
    """The tool's own ``timeout`` ran out."""

    code = "execution_timeout"

    def __init__(self, name: str, seconds: float) -> None:
        super().__init__(f"tool '{name}' did not finish within its timeout of {seconds:g} seconds")


class Overloaded(CallError):
    """More calls wait than the worker holds."""

    code = "overloaded"


class DependencyError(CallError):
    """A package or a declared secret is missing."""

    code = "dependency_error"


class SchemaError(Exception):
    """A signature that cannot become a tool; the message says what to change."""


class ToolError(Exception):
    """Raise it in a tool to give the client exactly this text."""


class CannotBeAsked(ToolError):
    """The client of a call cannot answer a question; a tool that catches it can do without."""

    code = "input_required"

    def __init__(self, needs: str) -> None:
        super().__init__(
            f"the tool asks something (`{needs}`) that the connected client cannot answer: "
            "call it through an MCP client that can"
        )
