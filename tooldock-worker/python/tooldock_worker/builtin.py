"""Schemas and validation with the standard library alone."""

from collections.abc import Callable
from typing import Any

from .dump import dump_builtin
from .errors import InvalidArguments, SchemaError
from .kinds import find_kind
from .objects import make_property
from .returns import prepare_return
from .scalars import Kind, Refusal
from .signature import EMPTY, Signature


class BuiltinShape:
    """The validator and encoder of one function."""

    def __init__(self, signature: Signature) -> None:
        kinds = {one.name: _find_kind(one.name, one.annotation) for one in signature.parameters}
        defaults = {one.name: one.default for one in signature.parameters if one.default is not EMPTY}
        for name, default in defaults.items():
            if type(default).__module__.partition(".")[0] == "pydantic":
                raise SchemaError(f"`{name}`: `Field(...)` is not supported without pydantic")
        self.input_schema = _make_input_schema(kinds, defaults)
        self.output_schema = _make_output_schema(signature.returns)
        self.bind = _make_bind(kinds, frozenset(kinds) - set(defaults), defaults)
        self.dump = dump_builtin
        self.show = dump_builtin


def _find_kind(name: str, annotation: Any) -> Kind:
    try:
        return find_kind(annotation)
    except SchemaError as error:
        raise SchemaError(f"`{name}`: {error}") from None


def _make_input_schema(kinds: dict[str, Kind], defaults: dict[str, Any]) -> dict[str, Any]:
    properties = {name: make_property(kind, defaults, name) for name, kind in kinds.items()}
    schema: dict[str, Any] = {"additionalProperties": False, "properties": properties, "type": "object"}
    required = [name for name in kinds if name not in defaults]
    return {**schema, "required": required} if required else schema


def _make_output_schema(returns: Any) -> dict[str, Any] | None:
    prepared = prepare_return(returns)
    if prepared is None:
        return None
    schema = _find_kind("return", prepared).schema
    if schema.get("type") == "object":
        return schema
    wrapper = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    return {**wrapper, "x-fastmcp-wrap-result": True}


def _make_bind(
    kinds: dict[str, Kind], required: frozenset[str], defaults: dict[str, Any]
) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def bind(arguments: dict[str, Any]) -> dict[str, Any]:
        given = dict(defaults)
        errors = []
        for name, value in arguments.items():
            try:
                given[name] = Refusal.at(name, kinds[name].read, value)
            except KeyError:
                errors.append(_refuse(name, "the tool has no such argument", "unexpected_keyword_argument"))
            except Refusal as refusal:
                errors.append(refusal.to_error())
        for name in required - set(arguments):
            errors.append(_refuse(name, "this argument is required", "missing_keyword_only_argument"))
        if errors:
            raise InvalidArguments(errors)
        return given

    return bind


def _refuse(name: str, message: str, kind: str) -> dict[str, Any]:
    return {"loc": [name], "msg": message, "type": kind}
