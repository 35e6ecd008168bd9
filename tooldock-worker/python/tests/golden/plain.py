"""Corpus functions that also the standard library's validator knows."""

import datetime
import enum
import pathlib
import uuid
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Optional, Union

from fastmcp import Context
from fastmcp.tools import tool


class Shade(enum.Enum):
    DARK = "dark"
    LIGHT = "light"


@dataclass
class Size:
    width: int
    height: int = 1


@tool
def plain_hello(name: str = "World") -> str:
    """Say hello.

    Args:
        name: Who.
    """
    return f"Hello, {name}!"


@tool
async def plain_scalars(a: int, b: float, c: bool = True, d: None = None) -> float:
    return a + b


@tool
def plain_optional(text: Optional[str] = None, number: int | None = 3) -> int | None:
    return number


@tool
def plain_union(value: Union[int, str, list[int]], any: Any, bare=1) -> dict:
    return {}


@tool
def plain_literal(mixed: Literal["a", 3], same: Literal["x", "y"] = "x", one: Literal[1] = 1) -> list[str]:
    return []


@tool
def plain_enum(shade: Shade = Shade.DARK) -> Shade:
    return shade


@tool
def plain_dataclass(size: Size, sizes: list[Size]) -> Size:
    return size


@tool
def plain_special(
    at: datetime.datetime, day: datetime.date, id: uuid.UUID, place: pathlib.Path, data: bytes
) -> datetime.date:
    return day


@tool
def plain_collections(
    numbers: set[int], pair: tuple[int, str], many: tuple[int, ...], table: dict[str, int]
) -> list[dict]:
    return []


@tool
def plain_bare(items: list, table: dict, ctx: Context) -> list:
    return items


@tool
def plain_annotated(label: Annotated[str, "The label."] = "") -> None:
    return None
