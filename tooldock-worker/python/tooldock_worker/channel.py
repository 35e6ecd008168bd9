"""The channel to the supervisor: lines in, lines out."""

import asyncio
import os
import socket
import threading
from collections import deque
from collections.abc import Callable

from .frames import MAX_LINE

MAX_NOTES = 8 * 1024 * 1024
"""Bytes that may wait to be written before notes (not answers) are dropped."""


class Channel(asyncio.Protocol):
    """Carries lines both ways. :meth:`send` may be called from any thread."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        receive: Callable[[bytes], None],
        ended: Callable[[str | None], None],
    ) -> None:
        self._loop = loop
        self._receive = receive
        self._ended = ended
        self._rest = bytearray()
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._scheduled = False
        self._transport: asyncio.Transport | None = None
        self._thread = threading.get_ident()

    async def open(self, sock: socket.socket, received: bytes) -> None:
        """Serve ``sock``, starting with bytes that were already read from it."""
        sock.setblocking(False)
        await self._loop.create_connection(lambda: self, sock=sock)
        os.register_at_fork(after_in_child=lambda: _close_in_child(sock))
        if received:
            self.data_received(received)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport and write what was sent before."""
        if isinstance(transport, asyncio.Transport):
            self._transport = transport
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Cut the bytes into lines and hand each on."""
        if self._rest:
            searched = len(self._rest)
            self._rest += data
            if self._rest.find(b"\n", searched) < 0:
                return self._check_rest()
            data = bytes(self._rest)
            self._rest.clear()
        *lines, rest = data.split(b"\n")
        self._rest += rest
        for line in lines:
            self._receive(line)
        self._check_rest()
        return None

    def _check_rest(self) -> None:
        if len(self._rest) > MAX_LINE:
            self._ended(f"a line from the supervisor is longer than {MAX_LINE} bytes")

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the owner that the supervisor is gone."""
        self._transport = None
        self._ended(None if exc is None else f"the channel broke: {exc}")

    def send(self, line: bytes) -> None:
        """Send one line behind all others; nothing waits.

        It leaves at once, so that the supervisor works while this process goes on with other calls.
        Lines of other threads are joined per turn of the loop.
        """
        on_loop = self._on_loop()
        if on_loop and self._transport is not None and not self._waiting:
            self._transport.write(line)
            return
        self._queue(line)
        if on_loop:
            self._flush()
        else:
            self._schedule()

    def send_note(self, line: bytes) -> bool:
        """Send one line with the next answer or turn of the loop, unless more than ``MAX_NOTES`` bytes wait.

        Returns whether it will be sent.
        """
        unsent = self._transport.get_write_buffer_size() if self._transport else 0
        if self._waiting_bytes + unsent > MAX_NOTES:
            return False
        self._queue(line)
        self._schedule()
        return True

    def _queue(self, line: bytes) -> None:
        self._waiting.append(line)
        self._waiting_bytes += len(line)

    def _on_loop(self) -> bool:
        return threading.get_ident() == self._thread

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            (self._loop.call_soon if self._on_loop() else self._loop.call_soon_threadsafe)(self._flush)

    def _flush(self) -> None:
        self._scheduled = False
        if self._transport is None or not self._waiting:
            return
        lines: list[bytes] = []
        while self._waiting:
            lines.append(self._waiting.popleft())
        self._waiting_bytes = 0
        self._transport.write(lines[0] if len(lines) == 1 else b"".join(lines))

    async def drain(self) -> None:
        """Wait until everything queued has been handed to the system.

        Cancel safe: a cancelled wait loses nothing.
        """
        self._flush()
        while self._transport is not None and self._transport.get_write_buffer_size():
            await asyncio.sleep(0.005)


def _close_in_child(sock: socket.socket) -> None:
    descriptor = sock.detach()
    if descriptor >= 0:
        os.close(descriptor)
