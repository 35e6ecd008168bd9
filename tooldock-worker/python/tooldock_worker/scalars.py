"""Single values without pydantic, with its lax conversions."""

import datetime
import pathlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NOTHING = type(None)


class Refusal(Exception):
    """A value that does not fit; ``loc`` is the way to it, from the outside."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.loc: list[str | int] = []

    @staticmethod
    def at(step: str | int, read: Callable[[Any], Any], value: Any) -> Any:
        """Read a part of a value; a refusal learns where the part lies."""
        try:
            return read(value)
        except Refusal as refusal:
            refusal.loc.insert(0, step)
            raise

    def to_error(self) -> dict[str, Any]:
        """The entry in `details.errors`."""
        return {"loc": self.loc, "msg": str(self), "type": self.kind}


@dataclass(frozen=True)
class Kind:
    """A type: its schema, its reader, and whether a JSON value is of it without conversion."""

    schema: dict[str, Any]
    read: Callable[[Any], Any]
    is_exact: Callable[[Any], bool]


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise Refusal("should be a string", "string_type")
    return value


def _read_integer(value: Any) -> int:
    if isinstance(value, float) and not value.is_integer():
        raise Refusal("should be a whole number", "int_from_float")
    if not isinstance(value, int | float | str):
        raise Refusal("should be an integer", "int_type")
    try:
        return int(value)
    except (ValueError, OverflowError):
        raise Refusal("should be an integer", "int_parsing") from None


def _read_number(value: Any) -> float:
    if not isinstance(value, int | float | str):
        raise Refusal("should be a number", "float_type")
    try:
        return float(value)
    except (ValueError, OverflowError):
        raise Refusal("should be a number", "float_parsing") from None


_TRUTHS: dict[Any, bool] = {
    **dict.fromkeys((1, "1", "true", "t", "yes", "y", "on"), True),
    **dict.fromkeys((0, "0", "false", "f", "no", "n", "off"), False),
}


def _read_truth(value: Any) -> bool:
    key = value.lower() if isinstance(value, str) else value
    if not isinstance(key, str | int | float) or key not in _TRUTHS:
        raise Refusal("should be true or false", "bool_parsing")
    return _TRUTHS[key]


def _read_nothing(value: Any) -> None:
    if value is not None:
        raise Refusal("should be null", "none_required")


def _read_iso(parse: Callable[[str], Any], name: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        text = _read_text(value)
        try:
            return parse(text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text)
        except ValueError:
            raise Refusal(f"should be a valid {name}", f"{name}_parsing") from None

    return read


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: type(value) is kind


_never: Callable[[Any], bool] = lambda value: False  # noqa: E731


def _text(form: str) -> dict[str, Any]:
    return {"type": "string", "format": form}


SCALARS: dict[Any, Kind] = {
    str: Kind({"type": "string"}, _read_text, _is(str)),
    int: Kind({"type": "integer"}, _read_integer, _is(int)),
    float: Kind({"type": "number"}, _read_number, _is(float)),
    bool: Kind({"type": "boolean"}, _read_truth, _is(bool)),
    NOTHING: Kind({"type": "null"}, _read_nothing, _is(NOTHING)),
    bytes: Kind(_text("binary"), lambda value: _read_text(value).encode(), _never),
    datetime.datetime: Kind(
        _text("date-time"), _read_iso(datetime.datetime.fromisoformat, "datetime"), _never
    ),
    datetime.date: Kind(_text("date"), _read_iso(datetime.date.fromisoformat, "date"), _never),
    uuid.UUID: Kind(_text("uuid"), _read_iso(uuid.UUID, "uuid"), _never),
    pathlib.Path: Kind(_text("path"), lambda value: pathlib.Path(_read_text(value)), _never),
}
"""The kinds of single values, by type."""
