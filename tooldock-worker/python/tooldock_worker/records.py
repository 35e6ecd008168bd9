"""Plain records in place of the protocol models that tool files import from ``mcp.types``."""

from typing import Any

from .frames import encode_value


class Record:
    """Keyword arguments as attributes, readable in both spellings (`mimeType`, `mime_type`)."""

    fields: frozenset[str] = frozenset()
    kind: str | None = None

    def __init__(self, **given: Any) -> None:
        self._wire: dict[str, Any] = {} if self.kind is None else {"type": self.kind}
        for name, value in given.items():
            key = "_meta" if name in {"meta", "_meta"} else to_camel(name)
            if key not in self.fields:
                known = ", ".join(sorted(self.fields))
                raise TypeError(f"{type(self).__name__} has no field `{name}`; it knows {known}")
            if value is not None:
                self._wire[key] = value

    def __getattr__(self, name: str) -> Any:
        key = "_meta" if name == "meta" else to_camel(name)
        if name.startswith("__") or key not in self.fields | {"type"}:
            raise AttributeError(f"{type(self).__name__} has no field `{name}`")
        return self.__dict__.get("_wire", {}).get(key)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.to_wire() == self.to_wire()

    __hash__ = None  # type: ignore[assignment]

    def to_wire(self) -> dict[str, Any]:
        """The object of the protocol."""
        return {key: to_wire(value) for key, value in self._wire.items()}


class Block(Record):
    """A content block."""

    def to_block(self) -> dict[str, Any]:
        """The content block of the protocol."""
        wire = self.to_wire()
        encode_value(wire)
        return wire


def to_camel(name: str) -> str:
    """`mime_type` as the protocol spells it: `mimeType`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def to_wire(value: Any) -> Any:
    """A value with the records inside it turned into protocol objects."""
    if isinstance(value, Record):
        return value.to_wire()
    if isinstance(value, list | tuple):
        return [to_wire(item) for item in value]
    if isinstance(value, dict):
        return {key: to_wire(item) for key, item in value.items()}
    return value


class ToolAnnotations(Record):
    """Hints about a tool's behaviour."""

    fields = frozenset({"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})


class Annotations(Record):
    """Hints about a content block's audience."""

    fields = frozenset({"audience", "priority", "lastModified"})


class Icon(Record):
    """A picture of a tool."""

    fields = frozenset({"src", "mimeType", "sizes", "theme"})


class TextContent(Block):
    """Text."""

    kind = "text"
    fields = frozenset({"type", "text", "annotations", "_meta"})


class ImageContent(Block):
    """A picture, base64."""

    kind = "image"
    fields = frozenset({"type", "data", "mimeType", "annotations", "_meta"})


class AudioContent(Block):
    """Sound, base64."""

    kind = "audio"
    fields = frozenset({"type", "data", "mimeType", "annotations", "_meta"})


class TextResourceContents(Record):
    """The text of a resource."""

    fields = frozenset({"uri", "mimeType", "text", "_meta"})


class BlobResourceContents(Record):
    """The bytes of a resource, base64."""

    fields = frozenset({"uri", "mimeType", "blob", "_meta"})


class EmbeddedResource(Block):
    """A resource inside a result."""

    kind = "resource"
    fields = frozenset({"type", "resource", "annotations", "_meta"})


class ResourceLink(Block):
    """A link to a resource."""

    kind = "resource_link"
    fields = frozenset(
        {"type", "name", "title", "uri", "description", "mimeType", "size", "icons", "annotations", "_meta"}
    )


class PromptMessage(Record):
    """One message of a prompt."""

    fields = frozenset({"role", "content"})


class CallToolResult(Record):
    """A whole result."""

    fields = frozenset({"content", "structuredContent", "isError", "_meta"})
