"""Content blocks a tool can return: text, images, audio, files, and whole results."""

import base64
import mimetypes
import os
from pathlib import Path
from typing import Any

from .frames import encode_value

BLOCK_TYPES = frozenset({"text", "image", "audio", "resource", "resource_link"})
"""Values of a block's ``type``."""


_PLAIN = frozenset({str, bytes, int, float, bool, dict, list, tuple, type(None)})


class Media:
    """Bytes with a media type, from a file or from memory."""

    kind = "resource"
    plain = "application/octet-stream"

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        data: bytes | None = None,
        format: str | None = None,
        annotations: Any = None,
    ) -> None:
        if (path is None) == (data is None):
            raise ValueError(f"{type(self).__name__} takes either `path` or `data`")
        self.path = None if path is None else Path(os.path.expandvars(os.fspath(path))).expanduser()
        self.data = data
        self.format = format
        self.annotations = annotations

    def read(self) -> bytes:
        """The bytes; raises ``OSError`` when the file cannot be read."""
        return self.path.read_bytes() if self.path is not None else self.data or b""

    def find_type(self) -> str:
        """The media type: from ``format``, else from the file's name, else a plain one."""
        if self.format:
            return self.name_type(self.format.lower())
        if self.path is None:
            return self.plain
        return mimetypes.guess_type(self.path.name, strict=False)[0] or "application/octet-stream"

    def name_type(self, format: str) -> str:
        """The media type that ``format`` stands for."""
        names = {"jpg": "jpeg", "svg": "svg+xml", "tif": "tiff", "mp3": "mpeg"}
        return f"{self.kind}/{names.get(format, format)}"

    def to_block(self) -> dict[str, Any]:
        """The content block of the protocol."""
        data = base64.b64encode(self.read()).decode()
        block = {"type": self.kind, "data": data, "mimeType": self.find_type()}
        return _with_annotations(block, self.annotations)


class Image(Media):
    """A picture as a tool result."""

    kind = "image"
    plain = "image/png"


class Audio(Media):
    """Sound as a tool result."""

    kind = "audio"
    plain = "audio/wav"


class File(Media):
    """A file as an embedded resource; text types travel as text, others as base64."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        data: bytes | None = None,
        format: str | None = None,
        name: str | None = None,
        annotations: Any = None,
    ) -> None:
        super().__init__(path, data, format, annotations)
        self.name = name

    def name_type(self, format: str) -> str:
        """``plain`` and ``text`` are text, anything else is a kind of application data."""
        plain = {"plain": "text/plain", "txt": "text/plain", "text": "text/plain"}
        return plain.get(format, f"application/{format}")

    def to_block(self) -> dict[str, Any]:
        """The content block of the protocol."""
        media = self.find_type()
        if self.path is not None:
            uri = self.path.resolve().as_uri()
        else:
            uri = f"file:///{self.name or 'resource'}.{media.rpartition('/')[2]}"
        resource: dict[str, Any] = {"uri": uri, "mimeType": media}
        raw = self.read()
        try:
            if not media.startswith("text/"):
                raise ValueError
            resource["text"] = raw.decode()
        except ValueError:
            resource["blob"] = base64.b64encode(raw).decode()
        return _with_annotations({"type": "resource", "resource": resource}, self.annotations)


class ToolResult:
    """A result whose parts the tool chooses itself."""

    def __init__(
        self,
        content: Any = None,
        structured_content: Any = None,
        meta: dict[str, Any] | None = None,
        is_error: bool = False,
    ) -> None:
        if content is None and structured_content is None:
            raise ValueError("ToolResult takes `content`, `structured_content` or both")
        self.content = structured_content if content is None else content
        self.structured_content = structured_content
        self.meta = meta
        self.is_error = is_error


def find_block(item: Any) -> dict[str, Any] | None:
    """The content block that ``item`` is, of this runtime or of an installed library."""
    if type(item) in _PLAIN:
        return None
    for maker in ("to_block", "to_image_content", "to_audio_content", "to_resource_content"):
        if hasattr(item, maker):
            made = getattr(item, maker)()
            return made if isinstance(made, dict) else dump_model(made)
    if getattr(item, "type", None) in BLOCK_TYPES and hasattr(item, "model_dump"):
        return dump_model(item)
    return None


def dump_model(model: Any) -> dict[str, Any]:
    """The wire form of an installed library's model."""
    dumped: dict[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return dumped


def _with_annotations(block: dict[str, Any], annotations: Any) -> dict[str, Any]:
    if annotations is not None:
        block["annotations"] = dump_plain(annotations)
    return block


def dump_plain(value: Any) -> Any:
    """A JSON value from a mapping, one of this runtime's records or a library's model."""
    if hasattr(value, "model_dump"):
        return dump_model(value)
    value = value.to_wire() if hasattr(value, "to_wire") else value
    encode_value(value)
    return value
