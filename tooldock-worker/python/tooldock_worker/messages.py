"""What resources and prompts can return besides plain values."""

from typing import Any, Literal

from .content import dump_plain, find_block
from .frames import encode_value

Role = Literal["user", "assistant"]


class Message:
    """One message of a prompt: text, a content block, or a value that is told as JSON."""

    def __init__(self, content: Any, role: Role = "user") -> None:
        self.role = role
        self.content = content


class PromptResult:
    """A filled-in prompt whose description differs from the one that is listed."""

    def __init__(
        self, messages: Any, description: str | None = None, meta: dict[str, Any] | None = None
    ) -> None:
        self.messages = messages
        self.description = description
        self.meta = meta


class ResourceContent:
    """One part of a resource: text, bytes, or a value that is told as JSON."""

    def __init__(
        self, content: Any, mime_type: str | None = None, meta: dict[str, Any] | None = None
    ) -> None:
        kinds: dict[type, str] = {str: "text/plain", bytes: "application/octet-stream"}
        self.mime_type = mime_type or kinds.get(type(content), "application/json")
        self.content = content if isinstance(content, str | bytes) else encode_value(content).decode()
        self.meta = meta


class ResourceResult:
    """A resource of several parts."""

    def __init__(self, contents: Any, meta: dict[str, Any] | None = None) -> None:
        self.contents = contents if isinstance(contents, list) else [ResourceContent(contents)]
        self.meta = meta


def make_messages(value: Any) -> list[dict[str, Any]]:
    """The messages of a prompt that returned ``value``."""
    items = value if isinstance(value, list | tuple) else [value]
    return [_make_message(item) for item in items]


def _make_message(item: Any) -> dict[str, Any]:
    if isinstance(item, dict) and "role" in item and "content" in item:
        role, content = item["role"], item["content"]
    elif hasattr(item, "role") and hasattr(item, "content"):
        role, content = item.role, item.content
    else:
        role, content = "user", item
    if isinstance(content, dict) and "type" in content:
        return {"role": role, "content": content}
    if isinstance(content, str):
        return {"role": role, "content": {"type": "text", "text": content}}
    block = find_block(content)
    if block is None:
        block = {"type": "text", "text": encode_value(dump_plain(content)).decode()}
    return {"role": role, "content": block}
