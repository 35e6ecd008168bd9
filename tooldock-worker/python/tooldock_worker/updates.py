"""Telling that a resource has another content, from a call or from anywhere else in the process."""

from collections.abc import Awaitable, Callable

from .frames import encode_frame
from .waiting import SENT

MAX_URI = 8192
"""Characters that an address may have."""

_senders: list[Callable[[bytes], object]] = []


def set_sender(send: Callable[[bytes], object]) -> None:
    """From now on notices are sent with ``send``, which may be called from any thread."""
    _senders[:] = [send]


def notify_resource_updated(uri: str) -> Awaitable[None]:
    """Tell clients that watch the resource at ``uri`` that it has another content.

    It is sent when the function is called; awaiting it is allowed and not needed. Raises ``ValueError``
    for an address of more than ``MAX_URI`` characters.
    """
    uri = str(uri)
    if len(uri) > MAX_URI:
        raise ValueError(f"an address may have {MAX_URI} characters")
    for send in _senders:
        send(encode_frame({"op": "updated", "uri": uri}))
    return SENT
