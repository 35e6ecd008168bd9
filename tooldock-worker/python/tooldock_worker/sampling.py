"""Asking the client's model for text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .content import find_block

Message = Any
"""Text, a content block, or a mapping with ``role`` and ``content``."""


@dataclass(frozen=True)
class Sampled:
    """What the model said."""

    text: str
    """Its text; empty when it answered with something else."""
    content: Any
    """The content block as it came."""
    model: str | None = None
    stop_reason: str | None = None

    @property
    def result(self) -> str:
        """The text, under the name that newer libraries give it."""
        return self.text


def make_params(messages: Message | Sequence[Message], max_tokens: int, **more: Any) -> dict[str, Any]:
    """The parameters of `sampling/createMessage`; members that are ``None`` are left out."""
    listed = list(messages) if isinstance(messages, list | tuple) else [messages]
    params = {"messages": [_make_message(message) for message in listed], "maxTokens": max_tokens}
    return params | {key: value for key, value in more.items() if value is not None}


def make_preferences(wanted: str | Sequence[str] | Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The `modelPreferences` for names of models, or for the object itself."""
    if wanted is None:
        return None
    if isinstance(wanted, Mapping):
        return dict(wanted)
    return {"hints": [{"name": name} for name in ([wanted] if isinstance(wanted, str) else wanted)]}


def _make_message(message: Message) -> dict[str, Any]:
    if isinstance(message, dict) and "role" in message:
        content = message.get("content")
        return (
            {**message, "content": {"type": "text", "text": content}} if isinstance(content, str) else message
        )
    block = find_block(message) or {"type": "text", "text": str(message)}
    return {"role": "user", "content": block}


def read_answer(answer: dict[str, Any]) -> Sampled:
    """Read the client's answer."""
    content = answer.get("content")
    first = content[0] if isinstance(content, list) and content else content
    text = first.get("text", "") if isinstance(first, dict) else ""
    return Sampled(str(text), content, answer.get("model"), answer.get("stopReason"))
