"""Encodes returned values as JSON without pydantic."""

import dataclasses
import datetime
import json
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from .errors import UnencodableResult
from .failures import read_text
from .frames import encode_utf8
from .misfits import explain_failure, explain_type, refuse_constants


def dump_builtin(value: Any) -> bytes:
    """Encode a value. Raises ``RefusedResult`` for NaN and ``UnencodableResult``."""
    try:
        payload = encode_utf8(_encode(value))
    except (TypeError, ValueError) as error:
        raise UnencodableResult(read_text(error)) from error
    except RecursionError as error:
        raise UnencodableResult("it is nested too deeply") from error
    if b"NaN" in payload or b"Infinity" in payload:
        refuse_constants(payload)
    return payload


def to_plain(value: Any) -> Any:
    """The JSON value of an object that the encoder does not know. Raises ``UnencodableResult``."""
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
        return _read_bytes(value)
    raise explain_type(type(value).__name__)


def _read_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise explain_failure(str(error)) from None


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=to_plain).encode
