"""Corpus functions whose annotations are all text."""

from __future__ import annotations

from typing import Annotated, Optional

from fastmcp import Context
from fastmcp.tools import tool
from pydantic import BaseModel, Field


class Item(BaseModel):
    name: str
    count: Optional[int] = None


@tool
def later_model(item: Item, tags: list[str] | None = None) -> list[Item]:
    """Take an item."""
    return [item]


@tool
def later_annotated(n: Annotated[int, Field(gt=0)], ctx: Context) -> dict[str, int]:
    return {"n": n}


@tool
async def later_nothing(text: str) -> str:
    return text
