"""What a call uses of a processor: clocks, and a coroutine whose steps are counted."""

import time
import types
from collections.abc import Coroutine, Generator
from typing import Any, Protocol

SHORT_NS = 50_000
"""A step on the loop that lasts no longer than this counts with its duration: asking the system what a
thread has used takes as long as a small tool."""

STALE_NS = 1_000_000
"""How old a reading may be from which the use of a long step is told."""


class Clock(Protocol):
    """Tells what a thread uses from :meth:`begin` to :meth:`end`. Lives on that thread."""

    def begin(self) -> None:
        """A step begins."""

    def end(self) -> int:
        """It ends; nanoseconds that it has used."""


class ThreadClock:
    """The clock of a thread that works for one call."""

    def begin(self) -> None:
        """A step begins."""
        self._before = time.thread_time_ns()

    def end(self) -> int:
        """It ends; nanoseconds that it has used."""
        return time.thread_time_ns() - self._before


class LoopClock:
    """The clock of the loop's thread, which works for many calls in turn.

    It is wrong by at most ``STALE_NS`` a step.
    """

    def __init__(self) -> None:
        self._used = 0
        self._read_at = -STALE_NS
        self._began = 0
        self._counted = 0
        """Nanoseconds of short steps since the reading."""

    def begin(self) -> None:
        """A step begins."""
        self._began = time.monotonic_ns()
        if self._began - self._read_at > STALE_NS:
            self._read(self._began)

    def end(self) -> int:
        """It ends; nanoseconds that it has used."""
        now = time.monotonic_ns()
        lasted = now - self._began
        if lasted <= SHORT_NS:
            self._counted += lasted
            return lasted
        before = self._used + self._counted
        return min(lasted, max(0, self._read(now) - before))

    def _read(self, now: int) -> int:
        self._used, self._read_at, self._counted = time.thread_time_ns(), now, 0
        return self._used


class Counter(Protocol):
    """What counts the steps of a call."""

    def begin_step(self, clock: Clock) -> None:
        """The thread of ``clock`` works for the call from now on."""

    def end_step(self) -> None:
        """It no longer does."""


@types.coroutine
def pause_between(
    call: Counter, clock: Clock, steps: Coroutine[Any, Any, Any], waits_for: Any
) -> Generator[Any, Any, Any]:
    """Go through ``steps``, the first of which gave ``waits_for``, and let none be open in between.

    The last one stays open.
    """
    while True:
        call.end_step()
        value: Any = None
        error: BaseException | None = None
        try:
            value = yield waits_for
        except GeneratorExit:
            steps.close()
            raise
        except BaseException as raised:
            error = raised
        call.begin_step(clock)
        try:
            waits_for = steps.send(value) if error is None else steps.throw(error)
        except StopIteration as end:
            return end.value
