"""Standard output and error of tools, told apart by call."""

import io
import threading
from collections.abc import Callable
from typing import Any, TextIO

from .call import Call, find_running
from .cuts import find_cut
from .fork import is_child

MAX_UNFINISHED = 8 * 1024
"""Characters of an unfinished line that are kept."""

MAX_TEXT = 2 * 1024 * 1024
"""Bytes of printed text in one frame.

What is printed at once stays together, so that no secret in it is cut in two.
"""


class CallStream(io.TextIOBase):
    """Replaces ``sys.stdout`` or ``sys.stderr``: text printed by a call goes to ``emit``.

    Whole lines are sent as they end, the rest when the call ends. Everything else (import time,
    background threads, forked children) goes to the original stream.
    """

    def __init__(self, name: str, original: TextIO, emit: Callable[[Call, str, str], None]) -> None:
        self._stream = name
        self._original = original
        self._emit = emit
        self._lock = threading.Lock()

    @property
    def buffer(self) -> object:
        """The original stream's bytes; they carry no call."""
        return self._original.buffer

    def __getattr__(self, name: str) -> Any:
        """Anything else (``reconfigure``, ``name``, ...) is the original's."""
        return getattr(self._original, name)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Always UTF-8."""
        return "utf-8"

    def fileno(self) -> int:
        """The original descriptor."""
        return self._original.fileno()

    def writable(self) -> bool:
        """Always true."""
        return True

    def write(self, text: str) -> int:
        """Send whole lines of the running call, keep the rest."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        call = None if is_child() else find_running()
        if call is None:
            written = self._original.write(text)
            if "\n" in text:
                self._original.flush()
            return written
        with self._lock:
            pieces = call.printed.setdefault(self._stream, [])
            pieces.append(text)
            if "\n" not in text and sum(map(len, pieces)) < MAX_UNFINISHED:
                return len(text)
            call.printed[self._stream] = []
        self._send(call, "".join(pieces))
        return len(text)

    def flush(self) -> None:
        """Flush the original stream; a call's unfinished line stays until the call ends."""
        if not self._original.closed:
            self._original.flush()

    def finish(self, call: Call) -> None:
        """Send what ``call`` printed without a line end."""
        if self._stream in call.printed:
            with self._lock:
                pieces = call.printed.pop(self._stream)
            self._send(call, "".join(pieces))

    def _send(self, call: Call, text: str) -> None:
        step = MAX_TEXT if text.isascii() else MAX_TEXT // 4
        begin = 0
        while begin < len(text):
            end = find_cut(text, begin, step)
            self._emit(call, self._stream, text[begin:end])
            begin = end
