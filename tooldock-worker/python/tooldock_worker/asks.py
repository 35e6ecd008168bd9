"""Questions that running calls put to the client."""

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

from .call import Call
from .errors import ToolError
from .frames import Frame, encode_frame


class Asks:
    """The questions that wait for an answer. Lives on the loop's thread, except :meth:`note`."""

    def __init__(self, send: Callable[[bytes], None], note: Callable[[Call, bytes], None]) -> None:
        self._send = send
        self.note = note
        """Sends a note line of a call; from any thread."""
        self.waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        """The open questions by name."""
        self._numbers = itertools.count(1)

    async def ask(self, call: Call, needs: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Ask the client and wait for its answer.

        Raises ``ToolError`` when the client cannot answer ``needs`` or refuses. Cancel safe: the
        question is forgotten, a late answer is ignored.
        """
        if needs not in (call.context.get("asks") or ()):
            raise ToolError(f"the connected client cannot answer `{needs}` questions")
        name = f"a{next(self._numbers)}"
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.waiting[name] = future
        frame = {"op": "ask", "id": call.id, "ask": name, "method": method, "params": params}
        try:
            self._send(encode_frame(frame))
            return await future
        finally:
            del self.waiting[name]

    def answer(self, frame: Frame) -> None:
        """Give an answer to whoever waits for it, if anybody still does."""
        future = self.waiting.get(frame.get("ask", ""))
        if future is None or future.done():
            return
        error = frame.get("error")
        if error is not None:
            text = error.get("message") if isinstance(error, dict) else None
            future.set_exception(ToolError(str(text or "the client did not answer the question")))
        else:
            result = frame.get("result")
            future.set_result(result if isinstance(result, dict) else {})
