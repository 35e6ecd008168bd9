# ruff: noqa: F821
# What every file of the corpus goes on with, whatever `Context`, `Image` and `@spelling` are.
import enum
from dataclasses import dataclass
from typing import Annotated, Literal, Optional

import _helpers
from pydantic import BaseModel, Field


class Kind(enum.Enum):
    BIG = "big"
    SMALL = "small"


@dataclass
class Point:
    x: float
    y: float = 0.0


class Person(BaseModel):
    name: str
    nick: Optional[str] = None
    born: Annotated[int, Field(ge=1900)] = 2000


@spelling
def plain(name: str, times: int = 1) -> str:
    """Praise somebody.

    Args:
        name: Who.
        times: How often.
    """
    return " ".join([_helpers.praise(name)] * times)


@spelling
async def waiting(person: Person) -> Person:
    """Give a model back."""
    return person


@spelling
async def noting(steps: int, ctx: Context) -> str:
    """Tell how far it is."""
    await ctx.info("begun")
    for step in range(steps):
        await ctx.report_progress(step + 1, steps)
    return "done"


@spelling
def pointing(point: Point, kind: Kind = Kind.BIG, unit: Literal["m", "ft"] = "m") -> Point:
    """Double a point."""
    return Point(point.x * 2, point.y * 2)


@spelling
def counting(up_to: int) -> list[int]:
    """Give the values of a generator."""
    yield from range(up_to)


@spelling
def drawing() -> Image:
    """Give a picture."""
    return Image(data=b"png", format="png")


@spelling
def failing(reason: str) -> str:
    """Raise."""
    raise ValueError(reason)
