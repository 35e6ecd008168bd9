"""How tools, resources and prompts are listed: what the decorators of all of them say."""

from collections.abc import Mapping
from typing import Any

from .content import dump_plain
from .errors import SchemaError
from .frames import encode_value
from .records import to_wire


def list_parts(members: dict[str, Any], mark: Any, line: int | None, file: str) -> dict[str, Any]:
    """``members`` and what all marks have, without what is not there. Raises ``SchemaError`` for no JSON."""
    tags = sorted(str(tag) for tag in mark.tags or ())
    more = {
        "icons": [dump_plain(icon) for icon in mark.icons or ()] or None,
        "_meta": make_meta(mark.meta, tags),
        "tags": tags or None,
        "enabled": mark.enabled,
        "file": file,
        "line": line,
    }
    listing = {key: to_wire(value) for key, value in {**members, **more}.items() if value is not None}
    try:
        encode_value(listing)
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"what the decorator or the defaults say is no JSON: {error}") from error
    return listing


def make_meta(meta: Mapping[str, Any] | None, tags: list[str]) -> dict[str, Any] | None:
    """The `_meta` object: what the tool said, and its tags where fastmcp clients look."""
    made = dict(meta or {})
    if tags:
        made["fastmcp"] = {**made.get("fastmcp", {}), "tags": tags}
    return made or None
