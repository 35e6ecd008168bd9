"""Questions that running calls put to the client."""

import asyncio
import itertools
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

from .call import Call
from .errors import CannotBeAsked, ToolError
from .frames import Frame, encode_frame

Answer = Future[dict[str, Any]]


class Asks:
    """The questions that wait for an answer. They are put from any thread; answers come on the loop's."""

    def __init__(
        self,
        send: Callable[[bytes], None],
        note: Callable[[Call, bytes], None],
        wait: Callable[[Call, bool], None],
    ) -> None:
        self._send = send
        self.note = note
        """Sends a note line of a call; from any thread."""
        self._wait = wait
        """Told when a call begins to wait for its client, and when it no longer does; from any thread."""
        self.waiting: dict[str, tuple[Call, Answer]] = {}
        """The open questions by name."""
        self._numbers = itertools.count(1)

    async def ask(
        self, call: Call, needs: str, method: str, params: dict[str, Any], key: str | None = None
    ) -> dict[str, Any]:
        """Ask the client and wait for its answer.

        Raises ``ToolError`` when the client cannot answer ``needs`` or refuses. Cancel safe: the
        question is withdrawn, a late answer is ignored.
        """
        if not can_answer(call, needs):
            raise CannotBeAsked(needs)
        if call.done:
            raise ToolError("the call has been answered already, so nothing can be asked for it")
        name = f"a{next(self._numbers)}"
        frame = {"op": "ask", "id": call.id, "ask": name, "method": method, "params": params}
        frame |= {} if key is None else {"key": key}
        line = encode_frame(frame)
        answer = Answer()
        self.waiting[name] = (call, answer)
        self._wait(call, True)
        try:
            self._send(line)
            return await asyncio.wrap_future(answer)
        finally:
            del self.waiting[name]
            self._wait(call, False)
            if answer.cancelled() and not call.done:
                self._send(encode_frame({"op": "withdraw", "id": call.id, "ask": name}))

    def answer(self, frame: Frame) -> None:
        """Give an answer to whoever waits for it, if anybody still does."""
        _, answer = self.waiting.get(frame.get("ask", ""), (None, None))
        if answer is None:
            return
        error = frame.get("error")
        if error is not None:
            text = error.get("message") if isinstance(error, dict) else None
            fail(answer, str(text or "the client did not answer the question"))
            return
        result = frame.get("result")
        with suppress(InvalidStateError):
            answer.set_result(result if isinstance(result, dict) else {})

    def forget(self, call: Call) -> None:
        """End the questions of a call that is over, so that no thread waits for them any longer."""
        for asking, answer in list(self.waiting.values()):
            if asking is call:
                fail(answer, "the call is over")


def can_answer(call: Call, needs: str) -> bool:
    """Whether the client of a call can answer this kind of question."""
    return needs in (call.context.get("asks") or ())


def fail(answer: Answer, why: str) -> None:
    """Tell whoever waits for an answer why there is none."""
    with suppress(InvalidStateError):
        answer.set_exception(ToolError(why))
