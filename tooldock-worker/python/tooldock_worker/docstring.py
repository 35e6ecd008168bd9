"""Reads a docstring: what the tool does, and what each parameter means."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Documented:
    """The texts of a docstring."""

    description: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)


def read_docstring(function: Callable[..., Any]) -> Documented:
    """Read the docstring of a function or callable object."""
    text = inspect.getdoc(function)
    return Documented(text) if text else Documented()
