"""Where the channel comes from: the inherited standard input, or a socket file."""

import os
import socket
from contextlib import suppress

from .frames import MAX_LINE, Frame, FrameError, decode_frame


def take_stdin() -> socket.socket:
    """Move the socket on descriptor 0 to a private descriptor and put ``/dev/null`` on 0.

    The private descriptor is not inherited by child processes, and ``input()`` in a tool sees
    the end of the file.
    """
    channel = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return channel


def accept_one(path: str) -> socket.socket:
    """Listen on the socket file ``path`` (mode 0600), wait for one connection and return it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        mask = os.umask(0o177)
        try:
            listener.bind(path)
        finally:
            os.umask(mask)
        try:
            listener.listen(1)
            channel, _ = listener.accept()
        finally:
            with suppress(FileNotFoundError):
                os.unlink(path)
    return channel


def read_first(channel: socket.socket) -> tuple[Frame | None, bytes]:
    """Wait for the first frame; returns it with the bytes that came after it.

    Returns ``None`` for the frame when the stream ends first. Raises ``FrameError`` when the
    line is too long or no frame.
    """
    received = bytearray()
    while (end := received.find(b"\n")) < 0:
        if len(received) > MAX_LINE:
            raise FrameError(f"the first line is longer than {MAX_LINE} bytes")
        chunk = channel.recv(65536)
        if not chunk:
            return None, b""
        received += chunk
    return decode_frame(bytes(received[:end])), bytes(received[end + 1 :])
