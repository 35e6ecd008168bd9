"""The time limit of one call, which does not run while the call asks its client something."""

import asyncio
from collections.abc import Callable


class Deadline:
    """Fires once after so many seconds. Lives on the loop's thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, fire: Callable[[], None]) -> None:
        self._loop = loop
        self._left = seconds
        self._fire = fire
        self._open = 0
        self._due = 0.0
        self._handle: asyncio.TimerHandle | None = None
        self._start()

    def _start(self) -> None:
        self._due = self._loop.time() + self._left
        self._handle = self._loop.call_later(self._left, self._fire)

    def wait(self, waits: bool) -> None:
        """Stand still from the first question on until the last one is answered."""
        self._open += 1 if waits else -1
        if waits and self._open == 1 and self._handle is not None:
            self._left = max(0.0, self._due - self._loop.time())
            self._handle.cancel()
        elif not waits and self._open == 0 and self._handle is not None:
            self._start()

    def cancel(self) -> None:
        """Never fire."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
