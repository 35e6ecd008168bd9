"""Tools that take one pydantic model instead of parameters."""

from collections.abc import Callable
from typing import Any

from .errors import SchemaError
from .shapes import OverriddenShape, find_pydantic, make_shape
from .signature import Signature
from .tool import Shape


def make_model_shape(model: Any, signature: Signature) -> Shape:
    """The shape of a function whose only parameter is an instance of ``model``.

    Raises ``SchemaError`` when ``model`` is no pydantic model or the function takes more.
    """
    if find_pydantic() is None:
        raise SchemaError("`input_model` is not supported without pydantic")
    if not hasattr(model, "model_validate") or len(signature.parameters) != 1:
        raise SchemaError("the handler takes exactly one instance of a pydantic `input_model`")
    # Only here, because it imports pydantic.
    from .schema import make_model_bind

    name = signature.parameters[0].name
    input_schema, read = make_model_bind(model)
    result = make_shape(Signature((), (), (), signature.returns))
    bind: Callable[[dict[str, Any]], dict[str, Any]] = lambda given: {name: read(given)}  # noqa: E731
    return OverriddenShape(bind, result.dump, result.show, input_schema, result.output_schema)
