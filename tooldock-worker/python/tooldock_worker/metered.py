"""A coroutine whose processor time is counted."""

from collections.abc import Coroutine, Generator
from typing import Any

from .call import Call


class Metered(Coroutine[Any, Any, None]):
    """Runs ``steps`` for a call, and counts what each step uses; the loop does other work in between."""

    __slots__ = ("_call", "_steps")

    def __init__(self, call: Call, steps: Coroutine[Any, Any, None]) -> None:
        self._call = call
        self._steps = steps

    def send(self, value: Any) -> Any:
        """Do one step."""
        self._call.begin_step()
        try:
            return self._steps.send(value)
        finally:
            self._call.end_step()

    def throw(self, *error: Any) -> Any:
        """Do one step that begins with an exception."""
        self._call.begin_step()
        try:
            return self._steps.throw(*error)
        finally:
            self._call.end_step()

    def close(self) -> None:
        """End before the last step."""
        self._steps.close()

    def __await__(self) -> Generator[Any, Any, None]:
        """Be awaited as what it runs; nothing is counted then."""
        return self._steps.__await__()
