"""Which return annotations describe a structured result."""

import collections.abc
import types
from typing import Annotated, Any, Union, get_args, get_origin

from .signature import EMPTY

_WHOLE = {"ToolResult", "CallToolResult", "InputRequiredResult"}
_BLOCKS = {
    "Image", "Audio", "File", "TextContent", "ImageContent", "AudioContent",
    "EmbeddedResource", "ResourceLink",
}  # fmt: skip
_HOMES = {"fastmcp", "mcp", "mcp_types", "tooldock", "tooldock_worker"}
_SEQUENCES = (list, tuple, collections.abc.Sequence)


def prepare_return(returns: Any) -> Any:
    """The annotation to derive an output schema from, or ``None`` when there is none.

    No schema: nothing said, ``None``, ``Any``, bytes, lists of anything, and whatever holds
    content blocks or whole results.
    """
    while hasattr(returns, "__value__"):
        returns = returns.__value__
    if returns in (EMPTY, None, Any, ...) or isinstance(returns, str):
        return None
    if _is_free_sequence(returns) or _holds_bytes(returns) or _holds_content(returns):
        return None
    return returns


def _is_free_sequence(annotation: Any) -> bool:
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if annotation in _SEQUENCES:
        return True
    # `typing.List` and its kin have an origin without arguments.
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is tuple:
        return args in ((), (Any, ...)) and annotation != tuple[()]
    return origin in _SEQUENCES and all(part is Any for part in args)


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType, Annotated)


def _holds_bytes(annotation: Any) -> bool:
    if annotation is bytes:
        return True
    return _is_union(annotation) and any(_holds_bytes(part) for part in get_args(annotation))


def _holds_content(annotation: Any) -> bool:
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return any(
            base.__name__ in _WHOLE | _BLOCKS and base.__module__.partition(".")[0] in _HOMES
            for base in annotation.__mro__
        )
    return any(_holds_content(part) for part in get_args(annotation))
