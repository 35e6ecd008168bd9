"""Tells what in a result JSON cannot carry, and where it is."""

import json
import marshal
import re
from typing import Any

from .errors import RefusedResult, UnencodableResult

_CLASS = re.compile(r"<class '(?:.*\.)?([^'.]+)'>")


class Constant(str):
    """`NaN`, `Infinity` or `-Infinity` in the place of a number."""


def refuse_constants(payload: bytes) -> None:
    """Raise ``RefusedResult`` when a number in the JSON text is NaN or infinite."""
    value = json.loads(payload, parse_constant=Constant, parse_int=str, parse_float=str)
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, Constant):
            where = f" at `{place}`" if place else ""
            raise RefusedResult(
                f"the tool's result contains `{value}`{where}, which JSON cannot carry: "
                "return a finite number or None"
            )
        if isinstance(value, dict):
            waiting += [(f"{place}.{key}" if place else key, part) for key, part in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{place}[{index}]", part) for index, part in enumerate(value)]


def is_plain(value: Any) -> bool:
    """Whether a value is made of Python's own types alone; false also where that is not worth finding out."""
    try:
        marshal.dumps(value)  # it knows nothing else, and is ten times faster than a walk
    except ValueError:
        return False
    return True


def refuse_numbers(value: Any) -> None:
    """Raise ``RefusedResult`` when a number in plain Python data is NaN or infinite."""
    text = json.dumps(value, skipkeys=True, default=lambda other: None)
    if "NaN" in text or "Infinity" in text:
        refuse_constants(text.encode())


def explain_type(name: str) -> UnencodableResult:
    """The error for a value whose type JSON has no form for."""
    return UnencodableResult(
        f"it holds a value of type `{name}`: return text, numbers, lists, dicts, dataclasses or models"
    )


def explain_failure(text: str) -> UnencodableResult:
    """The error for what pydantic says about a value that it cannot encode."""
    if (found := _CLASS.search(text)) is not None:
        return explain_type(found[1])
    if "utf-8" in text:
        return UnencodableResult("it holds `bytes` that are no UTF-8 text: encode them as base64 first")
    return UnencodableResult(text)
