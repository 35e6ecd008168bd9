"""Asking the person behind the client: the form that is shown, and the answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from .errors import InvalidArguments, ToolError
from .shapes import make_shape
from .signature import Parameter, Signature

_FIELD = "value"


@dataclass(frozen=True)
class Elicited:
    """What the person did. ``data`` is only there after ``accept``."""

    action: Literal["accept", "decline", "cancel"]
    data: Any = None


@dataclass(frozen=True)
class Form:
    """A question with the shape of its answer."""

    schema: dict[str, Any]
    read: Callable[[dict[str, Any]], Any]


def make_form(wanted: Any) -> Form:
    """The form for a type: a dataclass or model is asked field by field, anything else as one value.

    ``None`` asks for consent alone; a list of texts asks to choose one. Raises ``SchemaError``.
    """
    if wanted is None:
        return Form({"type": "object", "properties": {}}, lambda content: {})
    if isinstance(wanted, list | tuple):
        wanted = Literal[tuple(wanted)]
    shape = make_shape(Signature((Parameter(_FIELD, wanted),), (), (), None))
    field = shape.input_schema["properties"][_FIELD]
    if field.get("type") == "object":
        return Form(field, lambda content: shape.bind({_FIELD: content})[_FIELD])
    schema = {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]}
    return Form(schema, lambda content: shape.bind({_FIELD: content.get(_FIELD)})[_FIELD])


def read_answer(form: Form, answer: dict[str, Any]) -> Elicited:
    """Read the client's answer. Raises ``ToolError`` when it does not fit the form."""
    action = answer.get("action")
    if action not in ("accept", "decline", "cancel"):
        raise ToolError(f"the client answered the question with the unknown action `{action}`")
    if action != "accept":
        return Elicited(action)
    try:
        return Elicited(action, form.read(answer.get("content") or {}))
    except InvalidArguments as error:
        raise ToolError(f"the client's answer does not fit the question: {error}") from error
