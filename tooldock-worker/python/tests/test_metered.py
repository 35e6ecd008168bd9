"""What a call has used of a processor."""

import time
from collections.abc import Callable

import pytest

from tooldock_worker.metered import STALE_NS, Clock, LoopClock, ThreadClock


def burn(seconds: float) -> None:
    """Use the processor."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def measure(clock: Clock, step: Callable[[], None]) -> int:
    """What one step has used."""
    clock.begin()
    step()
    return clock.end()


@pytest.mark.parametrize("make", [ThreadClock, LoopClock])
def test_work_counts_and_waiting_does_not(make: Callable[[], Clock]) -> None:
    """A step that burns 10 ms has used them; one that sleeps as long has used next to nothing."""
    clock = make()
    assert measure(clock, lambda: burn(0.01)) >= 10_000_000 - STALE_NS
    assert measure(clock, lambda: time.sleep(0.01)) < 5_000_000


def test_short_steps_are_not_counted_twice() -> None:
    """The use of a long step is without that of the short ones before it, which have counted themselves."""
    clock = LoopClock()
    measure(clock, lambda: burn(0.002))
    short = [measure(clock, lambda: burn(0.00004)) for _ in range(20)]
    assert min(short) >= 0 and max(short) < STALE_NS
    before = time.thread_time_ns()
    used = measure(clock, lambda: burn(0.005))
    assert used <= time.thread_time_ns() - before + 400_000
