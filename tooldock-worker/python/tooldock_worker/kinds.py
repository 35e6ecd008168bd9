"""Types without pydantic: the JSON Schema of an annotation, and how to read a value of it."""

import types
from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from .errors import SchemaError
from .objects import find_object_kind
from .scalars import NOTHING, SCALARS, Kind, Refusal
from .signature import EMPTY

Build = Callable[[Any], Kind]


def find_kind(annotation: Any, building: tuple[Any, ...] = ()) -> Kind:
    """The kind of an annotation. Raises ``SchemaError`` for what needs pydantic."""
    annotation = NOTHING if annotation is None else annotation
    if annotation in (EMPTY, Any, object):
        return Kind({}, lambda value: value, lambda value: True)
    if annotation in building:
        raise SchemaError(f"the recursive type `{annotation}` is not supported without pydantic")
    if isinstance(annotation, type) and annotation in SCALARS:
        return SCALARS[annotation]
    origin, args = get_origin(annotation), get_args(annotation)
    nested: Build = lambda inner: find_kind(inner, (*building, annotation))  # noqa: E731
    if origin is Annotated:
        return _annotate(nested(args[0]), args[1:])
    if origin in (Union, types.UnionType):
        return _make_union([nested(part) for part in args])
    if origin is Literal:
        return _make_choice(list(args), list(args))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        members = list(annotation)
        return _make_choice([member.value for member in members], members, annotation.__doc__)
    builder = _CONTAINERS.get(origin or annotation)
    if builder is not None:
        return builder(args, nested)
    kind = find_object_kind(annotation, nested)
    if kind is None:
        raise SchemaError(f"the type `{_name(annotation)}` is not supported without pydantic")
    return kind


def _name(annotation: Any) -> str:
    return str(getattr(annotation, "__qualname__", annotation))


def _annotate(kind: Kind, marks: tuple[Any, ...]) -> Kind:
    if len(marks) != 1 or not isinstance(marks[0], str):
        raise SchemaError("metadata other than one text in `Annotated` is not supported without pydantic")
    return Kind({**kind.schema, "description": marks[0]}, kind.read, kind.is_exact)


def _make_union(kinds: list[Kind]) -> Kind:
    def read(value: Any) -> Any:
        refusals = []
        for kind in sorted(kinds, key=lambda kind: not kind.is_exact(value)):
            try:
                return kind.read(value)
            except Refusal as refusal:
                refusals.append(refusal)
        raise refusals[0] if len(refusals) == 1 else Refusal("fits none of the allowed types", "union")

    schema = {"anyOf": [kind.schema for kind in kinds]}
    return Kind(schema, read, lambda value: any(kind.is_exact(value) for kind in kinds))


_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", NOTHING: "null"}


def _make_choice(values: list[Any], members: list[Any], text: str | None = None) -> Kind:
    values = [value.value if isinstance(value, Enum) else value for value in values]
    schema: dict[str, Any] = {"const": values[0]} if len(values) == 1 else {"enum": values}
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and (name := _NAMES.get(kinds.pop())):
        schema["type"] = name
    if text and text != "An enumeration.":
        schema["description"] = text.strip()

    def find(value: Any) -> Any:
        for choice, member in zip(values, members, strict=True):
            if choice == value and type(choice) is type(value):
                return member
        shown = ", ".join(repr(choice) for choice in values)
        raise Refusal(f"should be one of {shown}", "literal_error")

    return Kind(schema, find, lambda value: any(choice == value for choice in values))


def _read_items(value: Any, kind: Kind) -> list[Any]:
    if not isinstance(value, list):
        raise Refusal("should be a list", "list_type")
    return [Refusal.at(index, kind.read, item) for index, item in enumerate(value)]


def _make_list(args: tuple[Any, ...], build: Build) -> Kind:
    kind = build(args[0] if args else Any)
    schema = {"items": kind.schema, "type": "array"}
    return Kind(schema, lambda value: _read_items(value, kind), lambda value: isinstance(value, list))


def _make_set(args: tuple[Any, ...], build: Build) -> Kind:
    kind = build(args[0] if args else Any)
    schema = {"items": kind.schema, "type": "array", "uniqueItems": True}
    return Kind(schema, lambda value: set(_read_items(value, kind)), lambda value: isinstance(value, list))


def _make_tuple(args: tuple[Any, ...], build: Build) -> Kind:
    if not args or args[-1] is ...:
        many = _make_list(args[:1], build)
        return Kind(many.schema, lambda value: tuple(many.read(value)), many.is_exact)
    kinds = [build(part) for part in args]

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) != len(kinds):
            raise Refusal(f"should be a list of {len(kinds)} items", "tuple_type")
        return tuple(
            Refusal.at(index, kind.read, item)
            for index, (kind, item) in enumerate(zip(kinds, value, strict=True))
        )

    size = len(kinds)
    schema = {"maxItems": size, "minItems": size, "type": "array"}
    schema["prefixItems"] = [kind.schema for kind in kinds]
    return Kind(schema, read, lambda value: isinstance(value, list) and len(value) == size)


def _make_dict(args: tuple[Any, ...], build: Build) -> Kind:
    keys, values = (build(args[0]), build(args[1])) if args else (SCALARS[str], build(Any))
    inner: Any = True if values.schema == {} else values.schema
    schema = {"additionalProperties": inner, "type": "object"}

    def read(value: Any) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise Refusal("should be an object", "dict_type")
        return {
            Refusal.at(key, keys.read, key): Refusal.at(key, values.read, item) for key, item in value.items()
        }

    return Kind(schema, read, lambda value: isinstance(value, dict))


_CONTAINERS: dict[Any, Callable[[tuple[Any, ...], Build], Kind]] = {
    list: _make_list,
    set: _make_set,
    tuple: _make_tuple,
    dict: _make_dict,
}
