"""Asking the person behind the client: the form that is shown, and the answer."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .errors import InvalidArguments, ToolError
from .shapes import make_shape
from .signature import Parameter, Signature

_FIELD = "value"


@dataclass(frozen=True)
class AcceptedElicitation:
    """The person gave what was asked for."""

    data: Any = None
    action: Literal["accept"] = "accept"


@dataclass(frozen=True)
class DeclinedElicitation:
    """The person said no."""

    action: Literal["decline"] = "decline"
    data: None = None


@dataclass(frozen=True)
class CancelledElicitation:
    """The person closed the form without a choice."""

    action: Literal["cancel"] = "cancel"
    data: None = None


Elicited = AcceptedElicitation | DeclinedElicitation | CancelledElicitation
"""What the person did; where a real library is loaded, its classes of the same names."""

_HOMES = ("fastmcp.server.elicitation", "mcp.server.elicitation")


@dataclass(frozen=True)
class Form:
    """A question with the shape of its answer."""

    schema: dict[str, Any]
    read: Callable[[dict[str, Any]], Any]


def make_form(wanted: Any, raw: bool = False) -> Form:
    """The form for a type: a dataclass or model is asked field by field, anything else as one value.

    ``None`` asks for consent alone. A list of texts asks to choose one, and so does a mapping from
    texts to ``{"title": ...}``; either of them alone in a list asks to choose several. With ``raw`` a
    mapping is a JSON Schema instead. Raises ``SchemaError``.
    """
    if wanted is None:
        return Form({"type": "object", "properties": {}}, lambda content: {})
    if raw and isinstance(wanted, Mapping):
        return Form(dict(wanted), lambda content: content)
    wanted, titles = _read_choice(wanted)
    shape = make_shape(Signature((Parameter(_FIELD, wanted),), (), (), None))
    field = shape.input_schema["properties"][_FIELD]
    if field.get("type") == "object":
        return Form(field, lambda content: shape.bind({_FIELD: content})[_FIELD])
    if titles:
        choices = [{"const": value, "title": title} for value, title in titles.items()]
        several = field.get("type") == "array"
        field = {**field, "items": {"anyOf": choices}} if several else {"type": "string", "oneOf": choices}
    schema = {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]}
    return Form(schema, lambda content: shape.bind({_FIELD: content.get(_FIELD)})[_FIELD])


def _read_choice(wanted: Any) -> tuple[Any, dict[str, str]]:
    """The type for a choice among values, and the titles of the values if they have any."""
    if (
        isinstance(wanted, list | tuple)
        and len(wanted) == 1
        and isinstance(wanted[0], list | tuple | Mapping)
    ):
        one, titles = _read_choice(wanted[0])
        return list[one], titles  # type: ignore[valid-type]
    if isinstance(wanted, Mapping):
        titles = {str(value): str(about.get("title", value)) for value, about in wanted.items()}
        return Literal[tuple(titles)], titles
    if isinstance(wanted, list | tuple):
        return Literal[tuple(wanted)], {}
    return wanted, {}


def read_answer(form: Form, answer: dict[str, Any]) -> Elicited:
    """Read the client's answer. Raises ``ToolError`` when it does not fit the form."""
    action = answer.get("action")
    if action == "decline":
        return _make(DeclinedElicitation)
    if action == "cancel":
        return _make(CancelledElicitation)
    if action != "accept":
        raise ToolError(f"the client answered the question with the unknown action `{action}`")
    try:
        data = form.read(answer.get("content") or {})
    except InvalidArguments as error:
        raise ToolError(f"the client's answer does not fit the question: {error}") from error
    return _make(AcceptedElicitation, data=data)


def _make(ours: Any, **given: Any) -> Elicited:
    """An instance of the class that the tool file can know by this name."""
    homes = (sys.modules.get(name) for name in _HOMES)
    module = next((module for module in homes if module is not None), None)
    made: Elicited = getattr(module, ours.__name__, ours)(**given)
    return made
