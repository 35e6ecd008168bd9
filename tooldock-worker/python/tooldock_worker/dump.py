"""Encodes returned values as JSON without pydantic."""

import dataclasses
import datetime
import json
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from .errors import RefusedResult, UnencodableResult
from .failures import read_text
from .frames import encode_utf8


def dump_builtin(value: Any) -> bytes:
    """Encode a value. Raises ``RefusedResult`` for NaN and ``UnencodableResult``."""
    return _dump(_encoder, value)


def show_builtin(value: Any) -> bytes:
    """Encode a value for people: what has no JSON form becomes its text."""
    return _dump(_lenient, value)


def _dump(encoder: json.JSONEncoder, value: Any) -> bytes:
    try:
        return encode_utf8(encoder.encode(value))
    except (TypeError, ValueError) as error:
        if "Out of range float" in str(error):
            raise RefusedResult(
                "the tool's result contains a number that is NaN or infinite, which JSON cannot carry: "
                "return a finite number or None"
            ) from None
        raise UnencodableResult(read_text(error)) from error
    except RecursionError as error:
        raise UnencodableResult("it is nested too deeply") from error


def to_plain(value: Any) -> Any:
    """The JSON value of an object that the encoder does not know. Raises ``TypeError``."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime.date | datetime.time):
        text = value.isoformat()
        return f"{text[:-6]}Z" if text.endswith("+00:00") else text
    if isinstance(value, UUID | PurePath | Decimal):
        return str(value)
    if isinstance(value, set | frozenset):
        return list(value)
    if isinstance(value, bytes):
        return value.decode()
    raise TypeError(f"a {type(value).__name__} has no JSON form")


def _to_text(value: Any) -> Any:
    try:
        return to_plain(value)
    except TypeError:
        return str(value)


def _make(default: Any) -> json.JSONEncoder:
    return json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=default)


_encoder = _make(to_plain)
_lenient = _make(_to_text)
