"""One running call, and how code deeper down finds the call it runs for."""

import asyncio
import time
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from .metered import Clock

if TYPE_CHECKING:
    from .deadline import Deadline


class Task(Protocol):
    """What a call runs: a tool, a prompt, the reading of a resource, a completion."""

    @property
    def name(self) -> str:
        """How errors name it."""

    @property
    def action(self) -> str:
        """What is done with it, for errors: `calling tool`."""

    @property
    def timeout(self) -> float | None:
        """Its own limit in seconds."""

    @property
    def threaded(self) -> bool:
        """Whether it runs on the thread pool."""

    def invoke(self, call: "Call") -> Any:
        """Check the arguments and run; the value may still have to be awaited."""

    def encode(self, value: Any, limit: int) -> bytes:
        """The `result` member of the answer. Raises ``ResultTooLarge`` beyond ``limit`` bytes."""


@dataclass(eq=False, slots=True)
class Call:
    """A call from its request to its answer."""

    id: str | int
    tool: Task
    arguments: dict[str, Any]
    context: Mapping[str, Any]
    began: float = field(default_factory=time.monotonic)
    used_ns: int = 0
    """Processor time of the steps that are done."""
    clock: Clock | None = None
    """The clock of the thread that does a step for the call now."""
    task: "asyncio.Task[None] | None" = None
    timer: "Deadline | None" = None
    on_thread: bool = False
    """A thread has begun to run the tool."""
    abandoned: bool = False
    """Answered while its thread still runs."""
    done: bool = False
    """Answered; what is printed from now on belongs to no call."""
    printed: dict[str, list[str]] = field(default_factory=dict)
    """Per stream: pieces of a line that has not ended yet."""
    dropped: int = 0
    """Notes not sent because the supervisor did not read fast enough."""
    state: dict[str, Any] = field(default_factory=dict)

    def measure_ms(self) -> int:
        """Whole milliseconds since the request arrived."""
        return int((time.monotonic() - self.began) * 1000)

    def begin_step(self, clock: Clock) -> None:
        """Note that the thread of ``clock`` works for the call from now on."""
        self.clock = clock
        clock.begin()

    def end_step(self) -> None:
        """Note that it no longer does, if it does."""
        if self.clock is not None:
            self.used_ns += self.clock.end()
            self.clock = None

    def measure_cpu_us(self) -> int:
        """Whole microseconds of processor time in all steps that are done."""
        return self.used_ns // 1000


CURRENT: ContextVar[Call | None] = ContextVar("tooldock_call", default=None)
"""The call that the running code belongs to."""


def find_running() -> Call | None:
    """The call that the running code belongs to, unless it has been answered already."""
    call = CURRENT.get()
    return None if call is None or call.done else call
