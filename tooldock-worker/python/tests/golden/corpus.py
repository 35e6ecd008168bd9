"""The functions whose listed schemas are compared with fastmcp's."""

import datetime
import decimal
import enum
import pathlib
import uuid
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Optional, Union

from fastmcp import Context
from fastmcp.exceptions import ToolError
from fastmcp.tools import tool
from fastmcp.utilities.types import Image
from mcp.types import TextContent, ToolAnnotations
from pydantic import BaseModel, Field
from typing_extensions import NotRequired, TypedDict


class Colour(enum.Enum):
    """Colours of paint."""

    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Address(BaseModel):
    street: str
    number: int = Field(default=1, ge=1, title="House number")


class Person(BaseModel):
    """Somebody."""

    name: str
    address: Address
    former: list[Address] = []


class Node(BaseModel):
    value: int
    children: list["Node"] = []


@dataclass
class Point:
    x: float
    y: float = 0.0
    names: list[str] = field(default_factory=list)


class Options(TypedDict):
    path: str
    deep: NotRequired[bool]


@tool
def say_hello(name: str = "World") -> str:
    """Say hello to somebody."""
    return f"Hello, {name}!"


@tool
async def get_weather(city: str, units: str = "metric") -> dict:
    """Get the weather.

    Args:
        city: The city's name.
        units: `metric` or `imperial`,
            nothing else.

    Returns:
        The weather.
    """
    return {"city": city, "units": units}


@tool
def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


@tool
def list_issues(owner: str, repo: str, state: str = "open") -> list[dict]:
    """List issues."""
    return []


@tool
def optional_text(text: Optional[str] = None) -> Optional[str]:
    return text


@tool
def none_by_default(count: int = None) -> int:
    return 1


@tool
def optional_number(number: int | None, other: int | None = 3) -> int | None:
    return number


@tool
def union(value: Union[int, str, list[int]]) -> int | str:
    return 1


@tool
def literal(
    mixed: Literal["a", "b", 3], uniform: Literal["x", "y"] = "x", one: Literal[1] = 1
) -> Literal["p", "q"]:
    return "p"


@tool
def enums(colour: Colour, level: Level = Level.HIGH) -> Colour:
    return colour


@tool
def model(person: Person) -> Person:
    return person


@tool
def models(people: list[Address]) -> list[Address]:
    return people


@tool
def dataclass_point(point: Point) -> Point:
    return point


@tool
def typed_dict(options: Options) -> Options:
    return options


@tool
def recursive(node: Node) -> Node:
    return node


@tool
def recursive_list(nodes: list[Node]) -> list[Node]:
    return nodes


@tool
def annotated(
    count: Annotated[int, Field(description="How many.", ge=1, le=10)] = 5,
    label: Annotated[str, "The label."] = "",
) -> Annotated[int, Field(description="The sum.")]:
    return count


@tool
def field_default(key: str = Field(default="abc", pattern="^[a-z]+$", title="The key")) -> None:
    return None


@tool
def bare(value, other=1):
    return value


@tool
def special(
    at: datetime.datetime,
    day: datetime.date,
    span: datetime.timedelta,
    id: uuid.UUID,
    place: pathlib.Path,
) -> datetime.datetime:
    return at


@tool
def decimals(amount: decimal.Decimal) -> decimal.Decimal:
    return amount


@tool
def binary(data: bytes) -> bytes:
    return data


@tool
def collections(
    numbers: set[int], pair: tuple[int, str], many: tuple[int, ...], frozen: frozenset[str]
) -> set[int]:
    return numbers


@tool
def nested(
    table: dict[str, list[dict[str, int]]], anything: dict[str, Any], loose: dict
) -> dict[str, list[int]]:
    return {}


@tool
def bare_lists(items: list, pair: tuple, extra: Any = None) -> list:
    return items


@tool
def no_result(flag: bool) -> None:
    return None


@tool
def any_result() -> Any:
    return 1


@tool
def truth(flag: bool = False) -> bool:
    return flag


@tool
def with_context(ctx: Context, text: str) -> str:
    """Use the context.

    Args:
        ctx: hidden.
        text: shown.
    """
    return text


@tool
def optional_context(text: str, ctx: Context | None = None) -> str:
    return text


@tool
def image() -> Image:
    raise ToolError("none")


@tool
def images() -> list[Image]:
    return []


@tool
def block() -> TextContent:
    raise ToolError("none")


@tool
def blocks() -> list[TextContent | Image]:
    return []


@tool
def numpy_style(width: int, height: int = 2) -> int:
    """Compute an area.

    Longer text.

    Parameters
    ----------
    width : int
        The width.
    height : int, optional
        The height,
        in metres.

    Returns
    -------
    int
        The area.
    """
    return width * height


@tool
def sphinx_style(width: int, height: int = 2) -> int:
    """Compute an area.

    :param width: The width.
    :param int height: The height,
        in metres.
    :returns: The area.
    """
    return width * height


@tool("renamed", title="A Title", description="Said by the decorator.", tags={"b", "a"})
def original(text: str) -> str:
    """Not this."""
    return text


@tool(annotations=ToolAnnotations(title="Read it", readOnlyHint=True, openWorldHint=False), meta={"k": [1]})
def annotated_tool(text: Annotated[str, Field(description="Explicit.")]) -> str:
    """Explicit wins.

    Args:
        text: From the docstring.
    """
    return text


@tool(output_schema=None)
def without_output(text: str) -> str:
    return text


@tool(output_schema={"type": "object", "properties": {"n": {"type": "integer"}}})
def own_output(text: str) -> dict:
    return {"n": 1}


@tool
def title_argument(title: str, default: int = 0, type: str = "x") -> dict[str, str]:
    return {}


@tool
def keyword_only(a: int, *, b: int = 1, c: str) -> int:
    return a


@tool
def quoted(person: "Address", many: "list[Point] | None" = None) -> "Point | None":
    return None


@tool
def model_union(value: Address | Point | None = None) -> Address | Point:
    return Point(1.0)


@tool
def aliased(value: "Aliased") -> "Aliased":
    return value


class Aliased(BaseModel):
    inner_name: str = Field(alias="innerName", description="An alias.")
