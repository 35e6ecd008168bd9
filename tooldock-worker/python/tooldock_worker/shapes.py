"""Chooses the validator: pydantic where it is new enough, the standard library otherwise."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from .signature import Signature
from .tool import Shape

MINIMUM = (2, 12)
"""The oldest pydantic whose schemas are the ones we promise."""


@dataclass(frozen=True)
class OverriddenShape:
    """A shape whose schemas the decorator wrote itself."""

    bind: Callable[[dict[str, Any]], dict[str, Any]]
    dump: Callable[[Any], bytes]
    show: Callable[[Any], bytes]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None


@cache
def find_pydantic() -> str | None:
    """The version of a usable pydantic, or ``None``."""
    try:
        version = str(importlib.import_module("pydantic").VERSION)
    except Exception:
        return None
    numbers = re.match(r"(\d+)\.(\d+)", version)
    usable = numbers is not None and (int(numbers[1]), int(numbers[2])) >= MINIMUM
    return version if usable else None


def name_validator() -> str:
    """The validator as `ready` tells it: `pydantic 2.14.4` or `builtin`."""
    version = find_pydantic()
    return f"pydantic {version}" if version else "builtin"


def describe_type(annotation: Any, schema: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of one type; ``schema`` is that of a parameter of this type."""
    if find_pydantic() is None:
        return {key: part for key, part in schema.items() if key not in {"default", "title", "description"}}
    made: dict[str, Any] = importlib.import_module("pydantic").TypeAdapter(annotation).json_schema()
    return made


def make_shape(signature: Signature) -> Shape:
    """Build the validator of one function. Raises ``SchemaError``."""
    module, kind = ("schema", "PydanticShape") if find_pydantic() else ("builtin", "BuiltinShape")
    factory = getattr(importlib.import_module(f".{module}", __package__), kind)
    return cast(Shape, factory(signature))
