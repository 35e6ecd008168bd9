"""Runs calls: one answer per request, whatever the tool does."""

import asyncio
import contextvars
import time
from collections.abc import AsyncIterable, Callable, Coroutine
from types import AsyncGeneratorType, CoroutineType
from typing import Any

from .call import CURRENT, Call
from .deadline import Deadline
from .errors import CallError, Cancelled, ExecutionTimeout, Overloaded, ResultTooLarge
from .failures import Failures
from .fork import leave_if_child
from .frames import MAX_ANSWER, Frame, encode_frame, encode_value
from .metered import LoopClock, ThreadClock, pause_between
from .pool import Pool

MAX_CALLS = 4096
"""Calls a worker holds at once, running or waiting for a thread."""

_MAX_BODY = MAX_ANSWER - 1024
"""Bytes of an answer that its result may have."""


class Calls:
    """The calls in flight. Whoever takes a call out of ``running`` answers it, nobody else."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        send: Callable[[bytes], None],
        pool: Pool,
        failures: Failures,
        max_result_bytes: int,
        finish: Callable[[Call], None],
        forget: Callable[[Call], None],
    ) -> None:
        self._loop = loop
        self._send = send
        self._pool = pool
        self._failures = failures
        self._limit = max_result_bytes
        self._finish = finish
        self._forget = forget
        self._clock = LoopClock()
        self.running: dict[str | int, Call] = {}
        self.abandoned = 0
        """Threads that still run for calls that were answered."""

    def start(self, call: Call) -> None:
        """Begin a call. Must run on the loop's thread."""
        if len(self.running) >= MAX_CALLS:
            raise Overloaded(f"the worker already holds {MAX_CALLS} calls: try again later")
        self.running[call.id] = call
        tool = call.tool
        if tool.timeout is not None:
            error = ExecutionTimeout(tool.name, tool.timeout)
            call.timer = Deadline(self._loop, tool.timeout, lambda: self._abort(call, error))
        if tool.threaded:
            context = contextvars.copy_context()
            try:
                self._pool.submit(lambda: context.run(self._work, call))
            except RuntimeError as error:
                self._fail(call, error)
        else:
            call.task = self._begin(call, call.tool.invoke)

    def _begin(self, call: Call, begin: Callable[[Call], Any]) -> asyncio.Task[None]:
        # The class itself: `create_task` costs a fifth of a small call.
        return asyncio.Task(self._serve(call, begin), loop=self._loop, name=call.tool.name)

    def cancel(self, id: object) -> bool:
        """Answer the call ``id`` with `cancelled` and stop what can be stopped."""
        call = self.running.get(id) if isinstance(id, str | int) else None
        if call is None:
            return False
        self._abort(call, Cancelled(f"{call.tool.action} '{call.tool.name}' was cancelled"))
        return True

    def wait(self, call: Call, waits: bool) -> None:
        """Note that a call begins to wait for its client, or no longer does. From any thread."""
        self._loop.call_soon_threadsafe(self._note_waiting, call, waits)

    def _note_waiting(self, call: Call, waits: bool) -> None:
        if call.timer is not None:
            call.timer.wait(waits)
        if call.tool.threaded and call.task is None:
            self._pool.wait(waits)

    def _abort(self, call: Call, error: CallError) -> None:
        if not self._claim(call):
            return
        self._answer_error(call, error)
        if call.task is not None:
            call.task.cancel()
        elif call.on_thread:
            self._forget(call)
            call.abandoned = True
            self._count_abandoned(1)

    def _count_abandoned(self, change: int) -> None:
        self.abandoned += change
        self._send(encode_frame({"op": "abandoned", "count": self.abandoned}))

    async def _serve(self, call: Call, begin: Callable[[Call], Any]) -> None:
        CURRENT.set(call)
        call.begin_step(self._clock)
        try:
            value = begin(call)
            steps = _find_steps(value)
            while steps is not None:
                try:
                    waits_for = steps.send(None)
                except StopIteration as end:
                    value = end.value
                else:
                    value = await pause_between(call, self._clock, steps, waits_for)
                steps = _collect(value) if isinstance(value, AsyncGeneratorType) else None
            body = self._encode(call, value)
        except BaseException as error:
            self._fail(call, error)
        else:
            self._succeed(call, body)

    def _work(self, call: Call) -> None:
        call.on_thread = True
        if self.running.get(call.id) is not call or not self._run_on_thread(call):
            self._loop.call_soon_threadsafe(self._end_thread, call)

    def _run_on_thread(self, call: Call) -> bool:
        """Run the tool; false when the call was answered by somebody else meanwhile."""
        CURRENT.set(call)
        call.begin_step(ThreadClock())
        try:
            value = call.tool.invoke(call)
            if hasattr(value, "__await__") or isinstance(value, AsyncGeneratorType):
                call.end_step()
                self._loop.call_soon_threadsafe(self._continue, call, value)
                return True
            body = self._encode(call, value)
        except BaseException as error:
            return self._fail(call, error)
        return self._succeed(call, body)

    def _continue(self, call: Call, value: Any) -> None:
        """Finish on the loop what a plain function began: it returned something to await."""
        self._end_thread(call)
        if self.running.get(call.id) is not call:
            if isinstance(value, CoroutineType):
                value.close()
        else:
            call.on_thread = False
            call.task = self._begin(call, lambda _: value)

    def _end_thread(self, call: Call) -> None:
        if call.abandoned:
            call.abandoned = False
            self._count_abandoned(-1)

    def _encode(self, call: Call, value: Any) -> bytes:
        if isinstance(value, str | bytes) and len(value) > self._limit:
            raise ResultTooLarge(self._limit)
        body = call.tool.encode(value, self._limit)
        if len(body) > _MAX_BODY:
            raise ResultTooLarge(_MAX_BODY, "the most that fits into an answer")
        return body

    def _claim(self, call: Call) -> bool:
        leave_if_child()
        if self.running.get(call.id) is not call or self.running.pop(call.id, None) is None:
            return False
        if call.timer is not None:
            self._loop.call_soon_threadsafe(call.timer.cancel)
        if call.printed or call.dropped:
            self._finish(call)
        call.done = True
        return True

    def _succeed(self, call: Call, body: bytes) -> bool:
        call.end_step()
        if not self._claim(call):
            return False
        id = b"%d" % call.id if type(call.id) is int else encode_value(call.id)
        took, used = call.measure_ms(), call.measure_cpu_us()
        line = b'{"id":%b,"ok":true,"result":%b,"latency_ms":%d,"cpu_us":%d}\n' % (id, body, took, used)
        self._send(line)
        return True

    def _fail(self, call: Call, error: BaseException) -> bool:
        call.end_step()
        if not self._claim(call):
            return False
        self._answer_error(call, error)
        return True

    def _answer_error(self, call: Call, error: BaseException) -> None:
        described = self._failures.describe(call.tool.name, error, call.tool.action)
        self._send(encode_failure(call.id, described, call.measure_ms(), call.measure_cpu_us()))


def _find_steps(value: Any) -> Coroutine[Any, Any, Any] | None:
    """What there is to go through before the value of a call is there."""
    if type(value) is CoroutineType:
        return value
    if isinstance(value, AsyncGeneratorType):
        return _collect(value)
    return _wait_for(value) if hasattr(value, "__await__") else None


async def _wait_for(value: Any) -> Any:
    return await value


async def _collect(items: AsyncIterable[Any]) -> list[Any]:
    return [item async for item in items]


def encode_failure(id: str | int | None, error: Frame, latency_ms: int, cpu_us: int = 0) -> bytes:
    """The line of a failed answer. Falls back to fixed text when the error cannot be encoded."""
    frame = {"ok": False, "error": error, "latency_ms": latency_ms, "cpu_us": cpu_us}
    frame |= {} if id is None else {"id": id}
    try:
        return encode_frame(frame)
    except (TypeError, ValueError, RecursionError):
        fixed = {"code": "internal_error", "message": "the error of this call cannot be encoded"}
        return encode_frame({**frame, "error": fixed})


async def wait_until_idle(calls: Calls, grace: float) -> None:
    """Wait until no call runs, at most ``grace`` seconds. Cancel safe."""
    ends = time.monotonic() + grace
    while calls.running and time.monotonic() < ends:
        await asyncio.sleep(0.01)
