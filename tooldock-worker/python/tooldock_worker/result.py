"""Encodes what a tool returned as the `result` of an answer."""

import base64
import inspect
import json
from collections.abc import Callable
from typing import Any

from .content import ToolResult, find_block
from .errors import ResultTooLarge, UnencodableResult
from .frames import encode_value

Dump = Callable[[Any], bytes]

_WRAPPED = b',"_meta":{"fastmcp":{"wrap_result":true}},"isError":false}'
_PLAIN_TYPES = frozenset({str, int, float, bool, dict, type(None)})


def encode_result(value: Any, dump: Dump, show: Dump, has_schema: bool, wraps: bool, limit: int) -> bytes:
    """Encode ``value``: `content` for people, `structuredContent` where the schema has it.

    ``dump`` encodes a value of the annotated type, ``show`` any value. Raises what they raise, and
    ``ResultTooLarge`` when a part has more than ``limit`` bytes; a value that stands in both is
    measured once.
    """
    if type(value) not in _PLAIN_TYPES:
        if inspect.isgenerator(value):
            value = list(value)
        if isinstance(value, bytes):
            return _join(_fit(encode_value([make_text(value)]), limit), None)
        if is_whole_result(value):
            return encode_whole(value, dump, show, limit)
        blocks = find_blocks(value, show)
        if blocks is not None:
            structured = _wrap(_fit(dump(value), limit), wraps) if has_schema else None
            return _join(_fit(encode_value(blocks), limit), structured)
    payload = _fit(dump(value), limit)
    content = _encode_content(payload)
    if not has_schema:
        return _join(content, payload if payload[:1] == b"{" else None)
    if wraps:
        return b'{"content":%b,"structuredContent":{"result":%b}%b' % (content, payload, _WRAPPED)
    return _join(content, None if payload == b"null" else payload)


def _fit(part: bytes, limit: int) -> bytes:
    if len(part) > limit:
        raise ResultTooLarge(limit)
    return part


def _encode_content(payload: bytes) -> bytes:
    if payload == b"null":
        return b"[]"
    text = payload if payload[:1] == b'"' else encode_value(payload.decode())
    return b'[{"type":"text","text":%b}]' % text


def _wrap(payload: bytes, wraps: bool) -> bytes:
    return b'{"result":%b}' % payload if wraps else payload


def _join(content: bytes, structured: bytes | None, rest: bytes = b',"isError":false}') -> bytes:
    if structured is None:
        return b'{"content":%b%b' % (content, rest)
    return b'{"content":%b,"structuredContent":%b%b' % (content, structured, rest)


def make_text(item: str | bytes) -> dict[str, Any]:
    """A text block; bytes that are no UTF-8 become base64."""
    if isinstance(item, str):
        return {"type": "text", "text": item}
    try:
        return make_text(item.decode())
    except UnicodeDecodeError:
        return make_text(base64.b64encode(item).decode())


def find_blocks(value: Any, show: Dump) -> list[dict[str, Any]] | None:
    """The content blocks of ``value``, or ``None`` when it holds none."""
    if not isinstance(value, list | tuple):
        block = find_block(value)
        return None if block is None else [block]
    blocks = [find_block(item) for item in value]
    if not any(blocks):
        return None
    return [block or _make_block(item, show) for block, item in zip(blocks, value, strict=True)]


def _make_block(item: Any, show: Dump) -> dict[str, Any]:
    return make_text(item if isinstance(item, str | bytes) else show_text(item, show))


def show_text(value: Any, show: Dump) -> str:
    """A value as text for people: text as it is, anything else as compact JSON."""
    payload = show(value)
    return str(json.loads(payload)) if payload[:1] == b'"' else payload.decode()


def is_whole_result(value: Any) -> bool:
    """Whether ``value`` is a ``ToolResult`` or ``CallToolResult``, ours or a library's."""
    return isinstance(value, ToolResult) or any(
        base.__name__ in {"ToolResult", "CallToolResult"} for base in type(value).__mro__
    )


def encode_whole(value: Any, dump: Dump, show: Dump, limit: int) -> bytes:
    """Encode a result whose parts the tool chose itself."""
    content = value.content
    structured = getattr(value, "structured_content", getattr(value, "structuredContent", None))
    is_error = bool(getattr(value, "is_error", getattr(value, "isError", False)))
    meta = getattr(value, "meta", None)
    blocks = find_blocks(content, show)
    if blocks is None:
        items = [] if content is None or content == [] else [content]
        blocks = [_make_block(item, show) for item in items]
    rest = b',"_meta":%b' % _fit(dump(meta), limit) if meta is not None else b""
    rest += b',"isError":true}' if is_error else b',"isError":false}'
    encoded = None if structured is None else _fit(dump(structured), limit)
    if encoded is not None and encoded[:1] != b"{":
        raise UnencodableResult("`structured_content` must be a dict")
    return _join(_fit(encode_value(blocks), limit), encoded, rest)
