"""Dataclasses and typed dictionaries without pydantic."""

import dataclasses
import inspect
import json
import typing
from collections.abc import Callable
from contextlib import suppress
from typing import Any, get_args, get_origin

from .dump import dump_builtin
from .errors import RefusedResult, UnencodableResult
from .scalars import Kind, Refusal

MISSING = dataclasses.MISSING


def find_object_kind(annotation: Any, build: Callable[[Any], Kind]) -> Kind | None:
    """The kind of a dataclass or ``TypedDict``, ``None`` for anything else."""
    if not isinstance(annotation, type):
        return None
    if dataclasses.is_dataclass(annotation):
        return _make_dataclass(annotation, build)
    if issubclass(annotation, dict) and hasattr(annotation, "__total__"):
        return _make_typed_dict(annotation, build)
    return None


def _make_dataclass(kind: type[Any], build: Callable[[Any], Kind]) -> Kind:
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = [field for field in dataclasses.fields(kind) if field.init]
    kinds = {field.name: build(hints[field.name]) for field in fields}
    required = {
        field.name for field in fields if field.default is MISSING and field.default_factory is MISSING
    }
    defaults = {field.name: field.default for field in fields if field.default is not MISSING}
    # Without a docstring a dataclass gets its signature as one.
    generated = f"{kind.__name__}{str(inspect.signature(kind)).replace(' -> None', '')}"
    text = None if kind.__doc__ == generated else kind.__doc__
    schema = _make_schema(kinds, required, defaults, text)
    return _make_object(schema, kinds, required, lambda given: kind(**given))


def _make_typed_dict(kind: Any, build: Callable[[Any], Kind]) -> Kind:
    hints = typing.get_type_hints(kind, include_extras=True)
    required = {name for name, hint in hints.items() if _is_required(kind, name, hint)}
    kinds = {name: build(get_args(hint)[0] if _is_marked(hint) else hint) for name, hint in hints.items()}
    return _make_object(_make_schema(kinds, required, {}, kind.__doc__), kinds, required, dict)


def _is_marked(hint: Any) -> bool:
    return str(get_origin(hint)).rpartition(".")[2] in {"Required", "NotRequired"}


def _is_required(kind: Any, name: str, hint: Any) -> bool:
    if _is_marked(hint):
        return str(get_origin(hint)).endswith(".Required")
    return name in kind.__required_keys__


def _make_schema(
    kinds: dict[str, Kind], required: set[str], defaults: dict[str, Any], text: str | None
) -> dict[str, Any]:
    properties = {name: make_property(kind, defaults, name) for name, kind in kinds.items()}
    schema: dict[str, Any] = {"properties": properties, "type": "object"}
    if required:
        schema["required"] = [name for name in kinds if name in required]
    if text:
        schema["description"] = inspect.cleandoc(text)
    return schema


def make_property(kind: Kind, defaults: dict[str, Any], name: str) -> dict[str, Any]:
    """The schema of a named value, with its default when there is one that JSON can carry."""
    schema = dict(kind.schema)
    if name in defaults:
        with suppress(RefusedResult, UnencodableResult):
            schema["default"] = json.loads(dump_builtin(defaults[name]))
    # The title stays where nothing says the type, as in the schemas made with pydantic.
    if schema.keys() & {"default", "enum"} and schema.keys() <= {"default", "enum", "description"}:
        schema["title"] = name.replace("_", " ").title()
    return schema


def _make_object(
    schema: dict[str, Any], kinds: dict[str, Kind], required: set[str], make: Callable[[Any], Any]
) -> Kind:
    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Refusal("should be an object", "dict_type")
        for name in required:
            if name not in value:
                raise Refusal.at(name, _refuse_missing, None)
        return make(
            {name: Refusal.at(name, kinds[name].read, value[name]) for name in kinds if name in value}
        )

    return Kind(schema, read, lambda value: isinstance(value, dict))


def _refuse_missing(value: Any) -> Any:
    raise Refusal("is required", "missing")
