"""Schemas and validation through pydantic."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

import pydantic_core
from pydantic import Field, PydanticSchemaGenerationError, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from .dump import dump_builtin
from .errors import InvalidArguments, SchemaError
from .misfits import explain_failure, is_plain, refuse_constants, refuse_numbers
from .returns import prepare_return
from .signature import EMPTY, Parameter, Signature
from .tidy import drop_titles, inline_references, is_object_schema

_SERIALIZER_CONFIG = pydantic_core.core_schema.CoreConfig(ser_json_inf_nan="constants")

_PLAIN = pydantic_core.SchemaSerializer(TypeAdapter(Any).core_schema, _SERIALIZER_CONFIG)

_TEXTS = {
    "missing_keyword_only_argument": "this argument is required",
    "unexpected_keyword_argument": "the tool has no such argument",
}
"""Plain words for what pydantic says about how Python functions are called."""


class PydanticShape:
    """The validator and serializer of one function."""

    def __init__(self, signature: Signature) -> None:
        try:
            collect: Any = _collect(signature.parameters)
            adapter: TypeAdapter[Any] = TypeAdapter(collect)
            self.input_schema = _make_input_schema(adapter, signature)
        except Exception as error:
            raise SchemaError(_explain(error)) from error
        self.output_schema = _make_output_schema(signature.returns)
        self.bind = _make_bind(adapter)
        self.dump = _make_dump(signature.returns)
        self.show = _show


def _collect(parameters: tuple[Parameter, ...]) -> Callable[..., dict[str, Any]]:
    """A function with these parameters that returns its keyword arguments."""

    def collect(**given: Any) -> dict[str, Any]:
        return given

    kind = inspect.Parameter.KEYWORD_ONLY
    collect.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(p.name, kind, default=p.default, annotation=describe(p.annotation))
            for p in parameters
        ]
    )
    collect.__annotations__ = {
        p.name: describe(p.annotation) for p in parameters if p.annotation is not EMPTY
    }
    return collect


def describe(annotation: Any) -> Any:
    """Let the text in ``Annotated[x, "text"]`` be the description."""
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        if len(marks) == 1 and isinstance(marks[0], str):
            return Annotated[inner, Field(description=marks[0])]
    return annotation


def _make_input_schema(adapter: TypeAdapter[Any], signature: Signature) -> dict[str, Any]:
    raw = adapter.json_schema()
    titles = {name: part.get("title") for name, part in raw.get("properties", {}).items()}
    schema = inline_references(drop_titles(raw))
    derive = GenerateJsonSchema().get_title_from_name
    for name, title in titles.items():
        if isinstance(title, str) and title != derive(name):
            schema["properties"][name]["title"] = title
    return schema


def _make_bind(adapter: TypeAdapter[Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    validate = adapter.validator.validate_python

    def bind(arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            given: dict[str, Any] = validate(arguments)
        except ValidationError as error:
            raise InvalidArguments(_list_errors(error)) from None
        return given

    return bind


def make_model_bind(model: Any) -> tuple[dict[str, Any], Callable[[dict[str, Any]], Any]]:
    """The input schema of a pydantic model, and the way to make one; for `input_model`."""
    adapter: TypeAdapter[Any] = TypeAdapter(model)
    return inline_references(drop_titles(adapter.json_schema())), _make_bind(adapter)


def _list_errors(error: ValidationError) -> list[dict[str, Any]]:
    listed = error.errors(include_url=False, include_context=False, include_input=False)
    return [
        {"loc": list(e["loc"]), "msg": _TEXTS.get(e["type"], e["msg"]), "type": e["type"]} for e in listed
    ]


class _OutputSchema(GenerateJsonSchema):
    """Names fields as the serializer does: by alias only where the model asks for it."""

    def model_schema(self, schema: pydantic_core.core_schema.ModelSchema) -> dict[str, Any]:
        before = self.by_alias
        self.by_alias = bool(schema["cls"].model_config.get("serialize_by_alias"))
        try:
            return super().model_schema(schema)
        finally:
            self.by_alias = before


def _make_output_schema(returns: Any) -> dict[str, Any] | None:
    prepared = prepare_return(returns)
    if prepared is None:
        return None
    try:
        schema = TypeAdapter(prepared).json_schema(
            mode="serialization", by_alias=False, schema_generator=_OutputSchema
        )
    except PydanticSchemaGenerationError:
        return None
    except Exception as error:
        raise SchemaError(_explain(error)) from error
    if not is_object_schema(schema):
        definitions = schema.pop("$defs", None)
        schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
        if definitions:
            schema["$defs"] = definitions
        schema["x-fastmcp-wrap-result"] = True
    return inline_references(drop_titles(schema))


def _make_dump(returns: Any) -> Callable[[Any], bytes]:
    serializer = _PLAIN
    if returns not in (EMPTY, None, Any) and not isinstance(returns, str):
        try:
            core = TypeAdapter(returns).core_schema
            serializer = pydantic_core.SchemaSerializer(core, _SERIALIZER_CONFIG)
        except Exception:
            serializer = _PLAIN
    return _make_encoder(serializer)


def _make_encoder(serializer: pydantic_core.SchemaSerializer) -> Callable[[Any], bytes]:
    to_json = serializer.to_json

    def dump(value: Any) -> bytes:
        try:
            payload = to_json(value, warnings=False)
        except UnicodeEncodeError:
            payload = _dump_surrogates(value)
        except pydantic_core.PydanticSerializationError as error:
            if "surrogate" not in str(error):
                raise explain_failure(str(error)) from error
            payload = _dump_surrogates(value)
        if b"NaN" in payload or b"Infinity" in payload:
            refuse_constants(payload)
        if b"null" in payload and not is_plain(value):
            # Models write null for a number that is not finite, whatever the configuration above them says.
            refuse_numbers(serializer.to_python(value, warnings=False))
        return payload

    return dump


_show = _make_encoder(_PLAIN)


def _dump_surrogates(value: Any) -> bytes:
    return dump_builtin(TypeAdapter(Any).dump_python(value))


def _explain(error: Exception) -> str:
    text = str(error).strip()
    return text.partition("\n")[0] or type(error).__name__
