"""A loaded resource or template: how it is listed, read, and how its content is encoded."""

import base64
import inspect
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .call import Call
from .content import dump_plain
from .errors import ResultTooLarge, SchemaError, UnencodableResult
from .frames import encode_value
from .listing import list_parts
from .offerings import Offer
from .offers import ResourceMark
from .runnable import MakeContext, Runnable, is_async, make_runnable
from .signature import EMPTY

_EXPRESSION = re.compile(r"\{[+#./;?]?([^{}]*)\}")


@dataclass(frozen=True)
class Resource:
    """A resource, or a family of them."""

    uri: str
    """Its address, or the template of the addresses."""
    runnable: Runnable
    is_template: bool
    mime_type: str
    meta: dict[str, Any] | None
    listing: Mapping[str, Any] = field(repr=False)

    def encode(self, uri: str, value: Any, limit: int) -> bytes:
        """The `result` member of an answer. Raises ``ResultTooLarge`` beyond ``limit`` bytes."""
        parts = _find_parts(value)
        given = [(value, self.mime_type, self.meta)] if parts is None else parts
        contents = [_make_part(uri, *part) for part in given]
        body = encode_value({"contents": contents})
        if len(body) > limit:
            raise ResultTooLarge(limit)
        return body


@dataclass(frozen=True)
class Reading:
    """One read of a resource: what a call runs."""

    resource: Resource
    uri: str
    timeout: float | None = None
    action: str = "reading resource"

    @property
    def name(self) -> str:
        """The address, for errors."""
        return self.uri

    @property
    def threaded(self) -> bool:
        """Whether the function runs on the thread pool."""
        return self.resource.runnable.threaded

    def invoke(self, call: Call) -> Any:
        """Call the function; the value may still have to be awaited."""
        return self.resource.runnable.invoke(call, call.arguments)

    def encode(self, value: Any, limit: int) -> bytes:
        """The `result` member of the answer."""
        return self.resource.encode(self.uri, value, limit)


def find_variables(uri: str) -> list[str]:
    """The variables of a template; none of an address."""
    names = [name for names in _EXPRESSION.findall(uri) for name in names.split(",")]
    return [name.removesuffix("*") for name in names]


def build_resource(offer: Offer, file: str, make_context: MakeContext) -> Resource:
    """Build a resource. Raises ``SchemaError`` saying what in the file has to change."""
    mark = offer.mark
    assert isinstance(mark, ResourceMark)
    if ":" not in mark.uri:
        raise SchemaError("its address has no scheme: write `note://today`, for example")
    runnable = make_runnable(offer.function, make_context)
    variables = find_variables(mark.uri)
    _compare(variables, runnable)
    mime_type = mark.mime_type or "text/plain"
    members = {
        "uriTemplate" if variables else "uri": mark.uri,
        "name": mark.name or getattr(offer.function, "__name__", mark.uri),
        "title": mark.title,
        "description": mark.description or inspect.getdoc(offer.function),
        "mimeType": mime_type,
        "annotations": None if mark.annotations is None else dump_plain(mark.annotations),
        "sync": not is_async(offer.function),
    }
    listing = list_parts(members, mark, offer.line, file)
    return Resource(mark.uri, runnable, bool(variables), mime_type, mark.meta, listing)


def _compare(variables: list[str], runnable: Runnable) -> None:
    """Refuse a function whose parameters are not the variables of its address."""
    known = {parameter.name for parameter in runnable.parameters}
    for name in variables:
        if name not in known:
            raise SchemaError(f"the function has no parameter `{name}`, which its address has")
    for parameter in runnable.parameters:
        if parameter.default is EMPTY and parameter.name not in variables:
            raise SchemaError(f"its address has no `{{{parameter.name}}}`, which the function takes")


Part = tuple[Any, str | None, Any]


def _find_parts(value: Any) -> list[Part] | None:
    """The parts that the function chose itself: content, media type, `_meta`."""
    items = getattr(value, "contents", value)
    if not isinstance(items, list) or not items or not all(_is_part(item) for item in items):
        return None
    return [
        (item.content, getattr(item, "mime_type", None) or getattr(item, "mimeType", None), item.meta)
        for item in items
    ]


def _is_part(item: Any) -> bool:
    return hasattr(item, "content") and hasattr(item, "mime_type") and hasattr(item, "meta")


def _make_part(uri: str, content: Any, mime_type: str | None, meta: Any) -> dict[str, Any]:
    part: dict[str, Any] = {"uri": uri}
    part |= {} if mime_type is None else {"mimeType": mime_type}
    part |= {} if meta is None else {"_meta": {key: item for key, item in meta.items() if key != "fastmcp"}}
    if isinstance(content, bytes):
        return {**part, "blob": base64.b64encode(content).decode()}
    if isinstance(content, str):
        return {**part, "text": content}
    try:
        text = json.dumps(dump_plain(content), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UnencodableResult(str(error)) from error
    return {**part, "text": text}
